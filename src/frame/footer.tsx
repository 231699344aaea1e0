import { t } from '../text/language.ts'
import { TEXT } from './text.ts'

/** Pages that the hub serves from `static/`, because many hubs have no internet access. */
const PAGES = [
  [TEXT.support, 'help.html#support'],
  [TEXT.legal, 'legal.txt'],
  [TEXT.help, 'help.html']
] as const

export function Footer() {
  return (
    <footer className="foot">
      {PAGES.map(([text, href]) => (
        <a key={href} href={href} target="_blank" rel="noreferrer">
          {t(text)}
        </a>
      ))}
      <span>{t(TEXT.copyright)}</span>
    </footer>
  )
}
