import { useEffect } from 'react'
import { $pageTitle } from '../state/title.ts'
import { type Translation, t } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { useTabMark } from './tab-mark.ts'
import { TEXT } from './text.ts'

/**
 * The breadcrumb, with a back button if there is a target for it. The last crumb is the page's heading and the window's
 * title.
 */
export function Breadcrumb({ crumbs, back }: { crumbs: readonly Translation[]; back?: string }) {
  const name = useStore($pageTitle)
  const titles = crumbs.map((crumb) => t(crumb)).concat(name ?? [])
  const title = titles.at(-1) ?? ''
  const mark = useTabMark()
  useEffect(() => {
    document.title = `${mark}${title} · Headend`
  }, [mark, title])
  return (
    <nav className="crumbs" aria-label={t(TEXT.path)}>
      {back && (
        <a href={`#${back}`} aria-label={t(TEXT.back)} data-tip={t(TEXT.back)} className="button bare">
          <Icon name="back" />
        </a>
      )}
      <ol>
        {titles.slice(0, -1).map((text) => (
          <li key={text}>{text}</li>
        ))}
        <li aria-current="page">
          <h1>{title}</h1>
        </li>
      </ol>
    </nav>
  )
}
