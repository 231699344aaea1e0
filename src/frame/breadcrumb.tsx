import { useEffect } from 'react'
import { $title } from '../state/title.ts'
import { type Pair, t } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Where one is, and the way back where there is one. The last crumb is the page's heading and the window's title. */
export function Breadcrumb({ crumbs, back }: { crumbs: readonly Pair[]; back?: string }) {
  const name = useStore($title)
  const words = crumbs.map((crumb) => t(crumb)).concat(name ?? [])
  const title = words.at(-1) ?? ''
  useEffect(() => {
    document.title = `${title} · Headend`
  }, [title])
  return (
    <nav className="crumbs" aria-label={t(TEXT.path)}>
      {back && (
        <a href={`#${back}`} aria-label={t(TEXT.back)} data-tip={t(TEXT.back)} className="button bare">
          <Icon name="back" />
        </a>
      )}
      <ol>
        {words.slice(0, -1).map((word) => (
          <li key={word}>{word}</li>
        ))}
        <li aria-current="page">
          <h1>{title}</h1>
        </li>
      </ol>
    </nav>
  )
}
