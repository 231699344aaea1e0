// The tags of an object as chips.
import type { Tag, TagColor } from '../../../contract/tag.ts'
import { $tags } from '../../state/tags.ts'
import { useStore } from '../../ui/use-store.ts'

/** Colours of tags, for both themes. */
export const COLOR_VALUES: Readonly<Record<TagColor, string>> = {
  gray: 'var(--off)',
  blue: 'var(--accent)',
  teal: 'light-dark(#0f766e, #3cc8bb)',
  green: 'var(--good)',
  amber: 'var(--warn)',
  orange: 'light-dark(#b5480b, #ff9c59)',
  red: 'var(--bad)',
  violet: 'var(--other)'
}

/** An object that can have tags. Only a device has a serial number. */
export interface Tagged {
  id: number
  name: string
  sn?: string
  /** Absent if it has none. */
  tags?: readonly number[]
}

export const TagChip = ({ name, color }: Pick<Tag, 'name' | 'color'>) => (
  <span className="tag cut" data-tip="" style={{ '--tag': COLOR_VALUES[color] } as object}>
    {name}
  </span>
)

/** The tags of an object, by name. */
export function TagChips({ ids }: { ids: readonly number[] | undefined }) {
  const tags = useStore($tags).items.filter(({ id }) => ids?.includes(id))
  return (
    tags.length > 0 && (
      <span className="row">
        {tags.map((tag) => (
          <TagChip key={tag.id} {...tag} />
        ))}
      </span>
    )
  )
}
