// What uses an NDI source: channels and matrices of the router.
import type { NdiSourceUse } from '../../../contract/stream/ndi.ts'
import { ChannelLink } from '../../parts/channel/channel-link.tsx'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

type Users = Pick<NdiSourceUse, 'owner-i' | 'owner-i-d' | 'owner-hidden' | 'matrices'>

/** @param isTitled the text is under a title that says what it is */
export function SourceUsers({ source, isTitled }: { source: Users; isTitled?: boolean }) {
  const { 'owner-i': names = [], 'owner-i-d': ids = [], 'owner-hidden': hasHidden, matrices = [] } = source
  const links = [
    ...names.map((name, index) => <ChannelLink key={`channel ${ids[index]}`} id={ids[index]} name={name} />),
    ...matrices.map(({ id, name }) => (
      <a key={`matrix ${id}`} href={`#${linkTo('ndiMatrix', { matrixId: String(id) })}`}>
        {t(TEXT.router, name)}
      </a>
    )),
    ...(hasHidden ? [<span key="hidden">{t(TEXT.othersChannel)}</span>] : [])
  ]
  if (links.length === 0) return <>{isTitled ? '–' : t(TEXT.unused)}</>
  return (
    <>
      {!isTitled && `${t(TEXT.usedBy)} `}
      {links.map((link, index) => (
        <span key={link.key}>
          {index > 0 && ', '}
          {link}
        </span>
      ))}
    </>
  )
}
