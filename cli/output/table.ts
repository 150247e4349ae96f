import { displayWidth, padEnd, truncate } from '../../shared/domain/text-width.ts'

/** A column: plain cells, an optional colour put on after measuring, and whether it gives way when room is short. */
export interface Column<Row> {
  title: string
  cell: (row: Row) => string
  paint?: (text: string, row: Row) => string
  /** The least width this column may be squeezed to; without it the column keeps its width. */
  shrinkTo?: number
}

/** Lines of a table that fits into `columns` of the terminal; wide characters are measured as the terminal shows them. */
export function renderTable<Row>(
  columnList: readonly Column<Row>[],
  rows: readonly Row[],
  { columns, header }: { columns: number; header: (text: string) => string },
): string[] {
  const cells = rows.map((row) => columnList.map((column) => column.cell(row)))
  const widths = columnList.map((column, index) =>
    Math.max(displayWidth(column.title), ...cells.map((line) => displayWidth(line[index] ?? ''))),
  )
  squeeze(columnList, widths, columns)
  const line = (texts: string[], paint: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const cut = truncate(text, widths[index] ?? 0)
        const last = index === texts.length - 1
        return paint(last ? cut : padEnd(cut, widths[index] ?? 0), index)
      })
      .join('  ')
      .trimEnd()
  return [
    line(
      columnList.map((column) => column.title),
      (text) => header(text),
    ),
    ...rows.map((row, rowIndex) =>
      line(cells[rowIndex] ?? [], (text, index) => columnList[index]?.paint?.(text, row) ?? text),
    ),
  ]
}

function squeeze<Row>(columnList: readonly Column<Row>[], widths: number[], columns: number): void {
  const total = () => widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1)
  while (total() > columns) {
    let widest = -1
    for (const [index, column] of columnList.entries()) {
      const spare = (widths[index] ?? 0) - (column.shrinkTo ?? Infinity)
      if (spare > 0 && (widest < 0 || (widths[index] ?? 0) > (widths[widest] ?? 0))) widest = index
    }
    if (widest < 0) return
    widths[widest] = Math.max(
      columnList[widest]?.shrinkTo ?? 0,
      (widths[widest] ?? 0) - (total() - columns || 1),
      nextWidest(columnList, widths, widest),
    )
  }
}

/** Squeezing stops at the width of the next widest column, so that two long columns share the loss. */
function nextWidest<Row>(
  columnList: readonly Column<Row>[],
  widths: readonly number[],
  widest: number,
): number {
  let next = 0
  for (const [index, column] of columnList.entries())
    if (index !== widest && column.shrinkTo !== undefined && (widths[index] ?? 0) > column.shrinkTo)
      next = Math.max(next, widths[index] ?? 0)
  return Math.min(next, (widths[widest] ?? 1) - 1)
}
