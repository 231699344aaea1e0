// The worst problem, in the title and the icon of the browser's tab, so that it is seen while another tab is open.
import { useEffect } from 'react'
import { $system } from '../state/system.ts'
import { t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

const icon = (color: string, path: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='${path}' fill='${color}'/></svg>`
  )}`

const ICONS = { bad: icon('#d32f2f', 'M8 0l8 8-8 8-8-8z'), warn: icon('#e08a00', 'M8 1l8 14H0z') }

const problemText = (count: number) => (count === 1 ? t(TEXT.oneProblem) : t(TEXT.numProblems, count))

/**
 * Shows the worst problem as the icon of the page. @returns text before the title of the page; empty without problems
 */
export function useTabMark(): string {
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
