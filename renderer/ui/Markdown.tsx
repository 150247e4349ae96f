import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { openUrl } from '../bridge/bridge.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import styles from './Markdown.module.css'

/** Markdown of a stranger: never raw HTML, no pictures (they would be fetched), links open outside and show where they lead. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={{
          img: ({ alt }) => <span>{alt}</span>,
          a: ({ href, children }) => (
            <a
              href={href}
              title={href}
              onClick={(event) => {
                event.preventDefault()
                if (href !== undefined && /^https?:/.test(href)) openUrl(href)
              }}
            >
              {children}
            </a>
          ),
        }}
      >
        {visibleText(text)}
      </ReactMarkdown>
    </div>
  )
}
