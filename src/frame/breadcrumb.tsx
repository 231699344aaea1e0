import { useEffect } from 'react'
import { $system } from '../state/system.ts'
import { $pageTitle } from '../state/title.ts'
import { type Translation, t } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import * as TEXT from './text.ts'

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

// The worst problem, in the title and the icon of the browser's tab, so that it is seen while another tab is open.
const icon = (color: string, path: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='${path}' fill='${color}'/></svg>`
  )}`

const ICONS = { bad: icon('#d32f2f', 'M8 0l8 8-8 8-8-8z'), warn: icon('#e08a00', 'M8 1l8 14H0z') }

const problemText = (count: number) => (count === 1 ? t(TEXT.oneProblem) : t(TEXT.numProblems, count))

/**
 * Shows the worst problem as the icon of the page. @returns text before the title of the page; empty without problems
 */
function useTabMark(): string {
  const {
    'num-down': down = 0,
    'num-bad': bad = 0,
    'num-warn': warn = 0
  } = useStore($system).value?.status.system.problem ?? {}
  const tone = bad ? 'bad' : warn ? 'warn' : undefined
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!link || !tone) return
    const { href } = link
    link.href = ICONS[tone]
    return () => {
      link.href = href
    }
  }, [tone])
  if (down) return `◆ ${t(TEXT.numDown, down)} · `
  return tone ? `${bad ? '◆' : '▲'} ${problemText(bad + warn)} · ` : ''
}
