import { SquareArrowOutUpRight } from 'lucide-react'
import { visibleLine } from '../../../shared/domain/visible.ts'
import { useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './Diff.module.css'
import type { FileActions } from './DiffView.tsx'
import type { DiffFile } from './parse.ts'

/** The head of a file: its name, how much changed, and whether it was looked through. */
export function FileHead({ file, actions }: { file: DiffFile; actions: FileActions }) {
  const { t } = useText()
  const nameAt = file.path.lastIndexOf('/') + 1
  const isViewed = actions.isViewed(file)
  return (
    <div className={styles.file}>
      <span className={styles.path} title={visibleLine(file.path)}>
        <span>
          {file.oldPath === undefined ? '' : `${visibleLine(file.oldPath)} → `}
          {visibleLine(file.path.slice(0, nameAt))}
        </span>
        <b>{visibleLine(file.path.slice(nameAt))}</b>
      </span>
      {file.change === 'modified' ? null : <Tag>{t(`review.${file.change}`)}</Tag>}
      <span className={styles.plus}>+{file.added}</span>
      {file.removed === 0 ? null : <span className={styles.minus}>−{file.removed}</span>}
      <span className={styles.space} />
      <CopyButton text={file.path} what={t('review.copyPath')} />
      <IconButton label={t('review.open')} onClick={() => actions.open(file)}>
        <SquareArrowOutUpRight size={14} />
      </IconButton>
      <label className={styles.viewed}>
        <input
          type="checkbox"
          checked={isViewed}
          onChange={(event) => actions.setViewed(file, event.target.checked)}
        />
        {t('review.markViewed')}
      </label>
    </div>
  )
}
