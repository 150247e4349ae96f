import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { tellFailure } from '../bridge/failures.ts'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from './Button.tsx'

const SHOWN_MS = 1_500

/** Copies a text; `what` names it ("task id"). */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useText()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <IconButton
      label={isCopied ? t('common.copied') : t('common.copyText', { what })}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true), tellFailure)}
    >
      {isCopied ? <Check size={14} /> : <Copy size={14} />}
    </IconButton>
  )
}
