import { Component, type ReactNode } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'

/** Keeps a screen that breaks from taking the window with it. */
export class CrashBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return <Broken onReload={() => this.setState({ isBroken: false })} />
  }
}

function Broken({ onReload }: { onReload: () => void }) {
  const { t } = useText()
  return (
    <Empty title={t('app.crashTitle')} actions={<Button onClick={onReload}>{t('app.reload')}</Button>}>
      {t('app.crashText')}
    </Empty>
  )
}
