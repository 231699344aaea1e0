import type { ReactNode } from 'react'
import { type Translation, t } from '../text/language.ts'
import { number } from '../text/numbers.ts'

const ALL: Translation = ['All', '全部']

export interface Chip {
  /** Not empty. */
  value: string
  label: string
  /** Number of rows that the chip shows. */
  count?: number
  /** Before the label. */
  mark?: ReactNode
}

interface FilterChipsProps {
  /** What is filtered, for screen readers: 'State'. */
  label: string
  chips: readonly Chip[]
  /** Number of rows without the filter. */
  total?: number
  /** Value of the chosen chip; '' for "All". */
  value: string
  onChoose: (value: string) => void
}

/**
 * A filter as a row of toggle buttons with counts, one of which is chosen. "All" and the chosen chip itself remove the
 * filter.
 */
export function FilterChips({ label, chips, total, value, onChoose }: FilterChipsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a toolbar
    <div className="chips" role="group" aria-label={label}>
      {[{ value: '', label: t(ALL), count: total }, ...chips].map((chip: Chip) => (
        <button
          key={chip.value}
          type="button"
          className="button"
          aria-pressed={chip.value === value}
          onClick={() => onChoose(chip.value === value ? '' : chip.value)}
        >
          {chip.mark}
          <span className="cut">{chip.label}</span>{' '}
          {chip.count !== undefined && <span className="num muted">{number(chip.count)}</span>}
        </button>
      ))}
    </div>
  )
}
