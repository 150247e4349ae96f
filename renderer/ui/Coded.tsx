import styles from './Coded.module.css'

/** A sentence in which what stands between backticks is a command or a path: drawn as code, and selected whole by one click. */
export function Coded({ text }: { text: string }) {
  // Between pairs of backticks every second part is code; a single backtick is only itself.
  const parts = text.split(/`([^`\n]+)`/)
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className={styles.code}>
        {part}
      </code>
    ) : (
      part
    ),
  )
}
