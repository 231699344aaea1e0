// A tree by the ARIA pattern: one stop for the tab key, arrows inside.
import { type ReactNode, useRef, useState } from 'react'
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
  /** Ids that are open at first; `all` opens those to come, too. */
  open?: readonly string[] | 'all'
  /** Something is dragged that the items take. */
  onDrop?: (id: string) => void
}

interface Line {
  node: TreeNode
  level: number
  parent?: string
}

/** The lines in sight, from above. */
export function linesOf(
  nodes: readonly TreeNode[],
  open: { has(id: string): boolean },
  level = 1,
  parent?: string
): Line[] {
  return nodes.flatMap((node) => [
    { node, level, parent },
    ...(open.has(node.id) ? linesOf(node.children ?? [], open, level + 1, node.id) : [])
  ])
}

const idOf = (target: EventTarget | null) => (target as Element).closest<HTMLElement>('[data-id]')?.dataset.id

export function Tree({ label, nodes, selected, onSelect, open: openAtFirst = [], onDrop }: TreeProps) {
  /** Ids that are not as they all are at first. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(() => new Set(openAtFirst === 'all' ? [] : openAtFirst))
  const open = { has: (id: string) => turned.has(id) !== (openAtFirst === 'all') }
  const [at, setAt] = useState<string>()
  const [over, setOver] = useState<string>()
  const tree = useRef<HTMLDivElement>(null)
  const lines = linesOf(nodes, open)
  const stop = lines.find(({ node }) => node.id === (at ?? selected)) ?? lines[0]

  function turn(id: string): void {
    const next = new Set(turned)
    if (!next.delete(id)) next.add(id)
    setTurned(next)
  }

  function go(line: Line | undefined): void {
    if (!line) return
    setAt(line.node.id)
    // The items are in the document in the order of the lines.
    tree.current?.querySelectorAll<HTMLElement>('[data-id]')[lines.indexOf(line)]?.focus()
  }

  function press(event: {
    key: string
    ctrlKey: boolean
    metaKey: boolean
    altKey: boolean
    shiftKey: boolean
    target: EventTarget | null
    preventDefault(): void
  }): void {
    // What stands at the end of a line has keys of its own.
    if (!stop || event.ctrlKey || event.metaKey || event.altKey || !(event.target as Element).matches('[data-id]'))
      return
    const { node, parent } = stop
    const index = lines.indexOf(stop)
    const isOpen = open.has(node.id)
    const { key } = event
    if (key === 'ArrowDown' || (key === 'ArrowRight' && isOpen)) go(lines[index + 1])
    else if (key === 'ArrowUp') go(lines[index - 1])
    else if (key === 'Home') go(lines[0])
    else if (key === 'End') go(lines.at(-1))
    else if (key === 'ArrowRight' ? node.children?.length : key === 'ArrowLeft' && isOpen) turn(node.id)
    else if (key === 'ArrowLeft') go(lines.find((line) => line.node.id === parent))
    else if (key === 'Enter' || key === ' ') onSelect(node.id)
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey))
      (event.target as Element).querySelector<HTMLElement>('button')?.click()
    else if (/^\S$/.test(key)) {
      const begins = (line: Line) => line.node.label.toLowerCase().startsWith(key.toLowerCase())
      go([...lines.slice(index + 1), ...lines.slice(0, index)].find(begins))
    } else return
    event.preventDefault()
  }

  function click({ target }: { target: EventTarget | null }): void {
    const id = idOf(target)
    if (id === undefined || (target as Element).closest('button')) return
    setAt(id)
    if ((target as Element).closest('[data-turn]')) turn(id)
    else onSelect(id)
  }

  function branch(some: readonly TreeNode[], level: number): ReactNode {
    return some.map((node) => {
      const isParent = Boolean(node.children?.length)
      const isOpen = isParent && open.has(node.id)
      return (
        <div
          key={node.id}
          role="treeitem"
          data-id={node.id}
          aria-level={level}
          aria-expanded={isParent ? isOpen : undefined}
          aria-selected={node.id === selected}
          data-over={(onDrop && node.id === over) || undefined}
          tabIndex={node.id === stop?.node.id ? 0 : -1}
        >
          <div ref={(line) => line?.style.setProperty('--level', String(level))}>
            <span className="turn" data-turn={isParent || undefined}>
              {isParent && <Icon name={isOpen ? 'down' : 'right'} />}
            </span>
            {node.icon && <Icon name={node.icon} />}
            <span className="cut" data-tip="">
              {node.label}
            </span>
            {node.end}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: the pattern asks for a group, and a fieldset is a form's */}
          {isOpen && <div role="group">{branch(node.children ?? [], level + 1)}</div>}
        </div>
      )
    })
  }

  return (
    <div
      ref={tree}
      className="tree"
      role="tree"
      aria-label={label}
      onClick={click}
      onKeyDown={press}
      onDragOver={(event) => {
        if (!onDrop) return
        event.preventDefault()
        setOver(idOf(event.target))
      }}
      onDragLeave={({ relatedTarget, currentTarget }) => {
        // From one line to the next it is left, too.
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(undefined)
      }}
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
