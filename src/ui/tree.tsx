// A tree by the ARIA pattern: one stop for the tab key, arrows inside.
import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface TreeNode {
  id: string
  label: string
  icon?: IconName
  /** At the end of the line: a count, a menu. */
  end?: ReactNode
  children?: readonly TreeNode[]
}

export interface TreeProps {
  label: string
  nodes: readonly TreeNode[]
  selected?: string
  onSelect: (id: string) => void
  /** Something is dragged that the items take. */
  onDrop?: (id: string) => void
}

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  target: EventTarget | null
  currentTarget: Element
  preventDefault(): void
}

/** The item that something is in. */
const itemOf = (target: EventTarget | null) => (target as Element).closest<HTMLElement>('[data-id]')
const idOf = (target: EventTarget | null) => itemOf(target)?.dataset.id

export function Tree({ label, nodes, selected, onSelect, onDrop }: TreeProps) {
  /** Ids whose branches are not shown. */
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set())
  /** Where the focus was last. */
  const [at, setAt] = useState<string>()
  const [over, setOver] = useState<string>()
  const idsIn = (some: readonly TreeNode[]): string[] =>
    some.flatMap(({ id, children = [] }) => [id, ...(shut.has(id) ? [] : idsIn(children))])
  const ids = idsIn(nodes)
  const stop = [at, selected].find((id) => id && ids.includes(id)) ?? ids[0]

  const turn = (id: string) => setShut(shut.symmetricDifference(new Set([id])))

  function press(event: Press): void {
    const { key, currentTarget } = event
    const item = event.target as HTMLElement
    const { id } = item.dataset
    // What stands at the end of a line has keys of its own.
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const items = [...currentTarget.querySelectorAll<HTMLElement>('[data-id]')]
    const index = items.indexOf(item)
    const expanded = item.getAttribute('aria-expanded')
    const steps: Record<string, HTMLElement | null | undefined> = {
      ArrowDown: items[index + 1],
      ArrowUp: items[index - 1],
      ArrowRight: expanded ? items[index + 1] : null,
      ArrowLeft: itemOf(item.parentElement),
      Home: items[0],
      End: items.at(-1)
    }
    const begins = (one: Element) => one.textContent.toLowerCase().startsWith(key.toLowerCase())
    if (expanded && key === (expanded === 'true' ? 'ArrowLeft' : 'ArrowRight')) turn(id)
    else if (key === 'Enter' || key === ' ') onSelect(id)
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) item.querySelector('button')?.click()
    else if (key in steps) steps[key]?.focus()
    else if (key.length === 1) [...items.slice(index + 1), ...items.slice(0, index)].find(begins)?.focus()
    else return
    event.preventDefault()
  }

  function click({ target }: { target: EventTarget | null }): void {
    const id = idOf(target)
    if (id === undefined || (target as Element).closest('button')) return
    if ((target as Element).closest('[data-turn]')) turn(id)
    else onSelect(id)
  }

  function branch(some: readonly TreeNode[], level: number): ReactNode {
    return some.map(({ id, label: name, icon, end, children = [] }) => {
      const isParent = children.length > 0
      const isOpen = isParent && !shut.has(id)
      return (
        <div
          key={id}
          role="treeitem"
          data-id={id}
          aria-level={level}
          aria-expanded={isParent ? isOpen : undefined}
          aria-selected={id === selected}
          data-over={(onDrop && id === over) || undefined}
          tabIndex={id === stop ? 0 : -1}
        >
          <div style={{ '--level': level } as object}>
            <span className="turn" data-turn={isParent || undefined}>
              {isParent && <Icon name={isOpen ? 'down' : 'right'} />}
            </span>
            {icon && <Icon name={icon} />}
            <span className="cut" data-tip="">
              {name}
            </span>
            {end}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: the pattern asks for a group, and a fieldset is a form's */}
          {isOpen && <div role="group">{branch(children, level + 1)}</div>}
        </div>
      )
    })
  }

  return (
    <div
      className="tree"
      role="tree"
      aria-label={label}
      onClick={click}
      onKeyDown={press}
      onFocusCapture={({ target }) => setAt(idOf(target))}
      onDragOver={(event) => {
        if (!onDrop) return
        event.preventDefault()
        setOver(idOf(event.target))
      }}
      onDragLeave={() => setOver(undefined)}
      onDrop={(event) => {
        event.preventDefault()
        const id = idOf(event.target)
        if (id !== undefined) onDrop?.(id)
      }}
    >
      {branch(nodes, 1)}
    </div>
  )
}
