// Link to the page of one destination.
import type { Matrix, MatrixDestination } from '../../../contract/ndi/router.ts'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { labelOf } from './describe.ts'
import { TEXT } from './text.ts'

interface PageLinkProps {
  matrixId: Matrix['id']
  destination: MatrixDestination
  /** Default: 0. */
  tabIndex?: number
}

export function PageLink({ matrixId, destination, tabIndex = 0 }: PageLinkProps) {
  const label = t(TEXT.page, labelOf(destination))
  const href = `#${linkTo('ndiDestination', { matrixId: String(matrixId), destination: String(destination.index) })}`
  return (
    <a className="button bare" href={href} aria-label={label} data-tip={label} tabIndex={tabIndex}>
      <Icon name="screen" />
    </a>
  )
}
