// The search screen: what the text in the header finds, by kind.
import { type RefObject, useEffect, useRef } from 'react'
import type { RouteName } from '../../paths.ts'
import { useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { type FoundObject, useFoundKinds } from './results.tsx'

const TEXT = {
  all: ['All', '全部'],
  one: ['1 result', '1 个结果'],
  count: ['{0} results', '{0} 个结果'],
  none: ['Nothing found', '未找到'],
  noneText: [
    'Search for names of channels, inputs, outputs, devices, groups, users, presets and NDI sources, and for serial numbers.',
    '可搜索频道、输入、输出、设备、组、用户、预设和 NDI 源的名称，以及序列号。'
  ]
} as const

const ResultRow = ({ path, name, note, end }: FoundObject) => (
  <li>
    <span className="cut">
      <a href={`#${path}`}>{name}</a> <small className="muted">{note}</small>
    </span>
    {end}
  </li>
)

export function SearchScreen() {
  const query = useQuery()
  const key = query.get('for') ?? ''
  const found = useFoundKinds(key, true, (query.get('search-navigation') ?? undefined) as RouteName | undefined)
  const results = useRef<HTMLDivElement>(null)
  useArrowKeys(results)
  const count = found.reduce((sum, { total }) => sum + total, 0)
  return (
    <div ref={results} className="stack">
      <p role="status" className="muted">
        {count > 0 && (count === 1 ? t(TEXT.one) : t(TEXT.count, count))}
      </p>
      {found.length === 0 && <EmptyState icon="search" title={t(TEXT.none)} text={t(TEXT.noneText)} />}
      {found.map(({ title, total, all, items }) => (
        <Card key={t(title)} title={t(title)} note={String(total)} action={<a href={`#${all}`}>{t(TEXT.all)}</a>}>
          <ul className="lines">
            {items.map((item) => (
              <ResultRow key={item.id} {...item} />
            ))}
          </ul>
        </Card>
      ))}
    </div>
  )
}

/**
 * Moves the focus through the links of the results with the arrow keys, from the search box into the results and back.
 */
function useArrowKeys(results: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const box = document.querySelector<HTMLElement>('header input[type=search]')
      const links = [...(results.current?.querySelectorAll<HTMLElement>('li .cut > a') ?? [])]
      const current = document.activeElement as HTMLElement | null
      const index = current ? links.indexOf(current) : -1
      if (!step || (index < 0 && (current !== box || step < 0))) return
      event.preventDefault()
      ;(links[index + step] ?? (index === 0 ? box : undefined))?.focus()
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  }, [])
}
