// A tree view by the ARIA Authoring Practices: one tab stop, arrow keys inside
// (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/).
import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface TreeNode {
  id: string
  label: string
  icon?: IconName
  /** At the end of the line: a count or a menu. */
  end?: ReactNode
  children?: readonly TreeNode[]
  /** Whether the children are shown until the user turns them; the default is true. */
  open?: boolean
}

interface TreeProps {
  label: string
  nodes: readonly TreeNode[]
  selected?: string
  onSelect: (id: string) => void
  /** Set while something is dragged that can be dropped on the items. */
  onDrop?: (id: string) => void
}

interface TreeKeyEvent {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  target: EventTarget | null
  currentTarget: Element
  preventDefault(): void
}

/** The tree item that contains an element. */
const itemOf = (target: EventTarget | null) => (target as Element).closest<HTMLElement>('[data-id]')
const idOf = (target: EventTarget | null) => itemOf(target)?.dataset.id

/** Handles the keys of the tree view pattern. */
function handleTreeKey(event: TreeKeyEvent, onSelect: (id: string) => void, toggleBranch: (id: string) => void): void {
  const { key, currentTarget } = event
  const item = event.target as HTMLElement
  const { id } = item.dataset
  // Controls at the end of a line handle their own keys.
  if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[data-id]')]
  const index = items.indexOf(item)
  const expanded = item.getAttribute('aria-expanded')
  const focusTargets: Record<string, HTMLElement | null | undefined> = {
    ArrowDown: items[index + 1],
    ArrowUp: items[index - 1],
    ArrowRight: expanded ? items[index + 1] : null,
    ArrowLeft: itemOf(item.parentElement),
    Home: items[0],
    End: items.at(-1)
  }
  const startsWithKey = (other: Element) => other.textContent.toLowerCase().startsWith(key.toLowerCase())
  if (expanded && key === (expanded === 'true' ? 'ArrowLeft' : 'ArrowRight')) toggleBranch(id)
  else if (key === 'Enter' || key === ' ') onSelect(id)
  else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) item.querySelector('button')?.click()
  else if (key in focusTargets) focusTargets[key]?.focus()
  else if (key.length === 1) [...items.slice(index + 1), ...items.slice(0, index)].find(startsWithKey)?.focus()
  else return
  event.preventDefault()
}

/** Whether the children of a node are shown. @param toggled ids of the nodes that the user has turned */
const isOpened = ({ id, open = true }: TreeNode, toggled: ReadonlySet<string>) => open !== toggled.has(id)

/** Ids of the visible nodes, in display order. */
function visibleIds(nodes: readonly TreeNode[], toggled: ReadonlySet<string>): string[] {
  return nodes.flatMap((node) => [
    node.id,
    ...(isOpened(node, toggled) ? visibleIds(node.children ?? [], toggled) : [])
  ])
}

interface BranchProps {
  nodes: readonly TreeNode[]
  /** 1 at the top. */
  level: number
  /** Ids of the nodes that the user has turned. */
  toggled: ReadonlySet<string>
  selected: string | undefined
  /** The item that the Tab key reaches. */
  tabStop: string | undefined
  /** The item that something is dragged over. */
  dropTarget: string | undefined
}

function Branch({ nodes, level, ...tree }: BranchProps) {
  return nodes.map((node) => {
    const { id, label, icon, end, children = [] } = node
    const isParent = children.length > 0
    const isOpen = isParent && isOpened(node, tree.toggled)
    return (
      <div
        key={id}
        role="treeitem"
        data-id={id}
        aria-level={level}
        aria-expanded={isParent ? isOpen : undefined}
        aria-selected={id === tree.selected}
        data-over={id === tree.dropTarget || undefined}
        tabIndex={id === tree.tabStop ? 0 : -1}
      >
        <div style={{ '--level': level } as object}>
          <span className="turn" data-turn={isParent || undefined}>
            {isParent && <Icon name={isOpen ? 'down' : 'right'} />}
          </span>
          {icon && <Icon name={icon} />}
          <span className="cut" data-tip="">
            {label}
          </span>
          {end}
        </div>
        {isOpen && (
          // biome-ignore lint/a11y/useSemanticElements: the tree view pattern requires role group, and a fieldset belongs to forms
          <div role="group">
            <Branch {...tree} nodes={children} level={level + 1} />
          </div>
        )}
      </div>
    )
  })
}

export function Tree({ label, nodes, selected, onSelect, onDrop }: TreeProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [lastFocused, setLastFocused] = useState<string>()
  const [dropTarget, setDropTarget] = useState<string>()
  const ids = visibleIds(nodes, toggled)
  const tabStop = [lastFocused, selected].find((id) => id && ids.includes(id)) ?? ids[0]

  const toggleBranch = (id: string) => setToggled(toggled.symmetricDifference(new Set([id])))

  function handleClick({ target }: { target: EventTarget | null }): void {
    const id = idOf(target)
    if (id === undefined || (target as Element).closest('button')) return
    if ((target as Element).closest('[data-turn]')) toggleBranch(id)
    else onSelect(id)
  }

  return (
    <div
      className="tree"
      role="tree"
      aria-label={label}
      onClick={handleClick}
      onKeyDown={(event) => handleTreeKey(event, onSelect, toggleBranch)}
      onFocusCapture={({ target }) => setLastFocused(idOf(target))}
      onDragOver={(event) => {
        if (!onDrop) return
        event.preventDefault()
        setDropTarget(idOf(event.target))
      }}
      onDragLeave={() => setDropTarget(undefined)}
      onDrop={(event) => {
        event.preventDefault()
        const id = idOf(event.target)
        if (id !== undefined) onDrop?.(id)
      }}
    >
      <Branch
        nodes={nodes}
        level={1}
        toggled={toggled}
        selected={selected}
        tabStop={tabStop}
        dropTarget={onDrop && dropTarget}
      />
    </div>
  )
}
