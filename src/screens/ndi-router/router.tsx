// The NDI router: the matrix in the URL, or the one that was opened last.
import { type RefObject, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import { FEATURE_BITS } from '../../../contract/access/features.ts'
import { hasAnyBit } from '../../../contract/access/permissions.ts'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { addMatrix, type Matrix } from '../../../contract/ndi/router.ts'
import { CallButton } from '../../parts/actions.tsx'
import { FirstStep } from '../../parts/first-step.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { linkTo } from '../../paths.ts'
import { navigate, useParams, useQuery } from '../../state/location.ts'
import { $system } from '../../state/system.ts'
import { usePageTitle } from '../../state/title.ts'
import { t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { isAtMost, useScreenSize } from '../../ui/screen-size.ts'
import { useStore } from '../../ui/use-store.ts'
import { $showsPictures, disarmAll, disarmChanged } from './armed.ts'
import { Banner } from './banner.tsx'
import { Compact, PanelView } from './compact.tsx'
import { matchesText } from './describe.ts'
import { Grid } from './grid.tsx'
import { MatrixDialog } from './matrix-dialog.tsx'
import { SalvoButtons } from './salvo-buttons.tsx'
import { $matrices } from './store.ts'
import { FocusLine, TakeBar } from './take-bar.tsx'
import { TEXT } from './text.ts'
import { Toolbar } from './toolbar.tsx'
import { useControls } from './use-controls.ts'
import { useMatrix, useStructureChange, useTakeObstacle } from './use-matrix.ts'

/** Id of the matrix that was opened last in this browser. */
const LAST_KEY = `${CACHE_PREFIX}router-matrix`

/** Why the hub cannot route, and what to do; undefined if it can, and until it is known. */
function useMissingRuntime(): string | undefined {
  const { response } = useStore($matrices)
  const features = useStore($system).value?.status.system.info['feature-support']
  if (features === undefined || hasAnyBit(features, FEATURE_BITS.ndiRouter)) return undefined
  const { reason, 'next-step': step } = response?.runtime ?? {}
  return [reason && t(TEXT.sentence, reason), step ?? t(TEXT.unavailableText)].filter(Boolean).join(' ')
}

export function NdiRouterScreen() {
  const { matrixId } = useParams()
  const { items } = useStore($matrices)
  const missing = useMissingRuntime()
  const last = localStorage.getItem(LAST_KEY)
  const opened = items.find(({ id }) => String(id) === last) ?? items[0]
  const target = matrixId === undefined ? opened?.id : undefined
  useEffect(() => {
    if (target !== undefined) navigate(linkTo('ndiMatrix', { matrixId: String(target) }), { replace: true })
  }, [target])
  const placeholder = usePlaceholder($matrices, items.length === 0, missing ? null : <NoMatrix />)
  if (missing && items.length === 0) return <EmptyState icon="router" title={t(TEXT.unavailable)} text={missing} />
  if (placeholder) return <>{placeholder}</>
  return (
    <>
      <Banner role="alert" text={missing} />
      {matrixId !== undefined && <MatrixById id={Number(matrixId)} />}
    </>
  )
}

const NoMatrix = () => (
  <EmptyState icon="router" title={t(TEXT.empty)} text={t(TEXT.emptyText)}>
    <FirstStep call={addMatrix}>
      <CallButton
        call={addMatrix}
        kind="main"
        icon="plus"
        label={t(TEXT.addMatrix)}
        onClick={() => openDialog(MatrixDialog, {})}
      />
    </FirstStep>
  </EmptyState>
)

function MatrixById({ id }: { id: number }) {
  const matrix = useMatrix(id)
  usePageTitle(matrix?.name)
  const isKnown = matrix !== undefined
  useLayoutEffect(() => {
    if (isKnown) localStorage.setItem(LAST_KEY, String(id))
    // Routes that are armed belong to one matrix.
    return disarmAll
  }, [id, isKnown])
  if (matrix) return <MatrixPage key={id} matrix={matrix} />
  return (
    <EmptyState icon="router" title={t(TEXT.unknownMatrix)} text={t(TEXT.unknownMatrixText)}>
      <a href={`#${linkTo('ndiRouter')}`}>{t(TEXT.toMatrices)}</a>
    </EmptyState>
  )
}

/** Destinations and sources that match the search; all of them, if only the others match. */
function useSearch({ destinations, sources }: Matrix, text: string) {
  return useMemo(() => {
    const rows = destinations.filter((item) => matchesText(item, text))
    const columns = sources.filter((item) => matchesText(item, text))
    return {
      rows: rows.length > 0 ? rows : destinations,
      columns: columns.length > 0 ? columns : sources,
      hasMatch: rows.length + columns.length > 0
    }
  }, [destinations, sources, text])
}

function MatrixPage({ matrix }: { matrix: Matrix }) {
  const query = useQuery()
  const text = query.get('key') ?? ''
  const { rows, columns, hasMatch } = useSearch(matrix, text)
  const obstacle = useTakeObstacle()
  useStructureChange(matrix, disarmChanged)
  const isSmall = isAtMost('xs', useScreenSize())
  const toolbar = <Toolbar matrix={matrix} obstacle={obstacle} isSmall={isSmall} />
  if (isSmall) return <Compact matrix={matrix} obstacle={obstacle} toolbar={toolbar} />
  return (
    <div className="list router">
      {toolbar}
      <Banner role="status" text={obstacle} />
      <SalvoButtons matrix={matrix} obstacle={obstacle} />
      {query.get('view') === 'panel' ? (
        <PanelView matrix={matrix} obstacle={obstacle} text={text} />
      ) : hasMatch || text === '' ? (
        <GridArea matrix={matrix} rows={rows} columns={columns} obstacle={obstacle} />
      ) : (
        <p className="muted nothing">{t(TEXT.noMatch, text)}</p>
      )}
    </div>
  )
}

/** Passes keys that are pressed outside of the matrix, its buttons, fields and dialogs on to it, with the focus. */
function usePageKeys(area: RefObject<HTMLElement | null>, onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const target = event.target as Element
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return
      if (target.closest('input, select, textarea, [role=grid], [role=menu]')) return
      // Other keys belong to the button or link that has the focus.
      if (target.closest('button, a') && event.key !== '?' && event.key !== '/') return
      const cell = area.current?.querySelector<HTMLElement>('td[tabindex="0"]')
      if (!cell || !/^(Arrow|Page|Home|End|Enter|.$)/.test(event.key)) return
      cell.focus()
      latest.current(event)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [area])
}

interface GridAreaProps {
  matrix: Matrix
  rows: Matrix['destinations']
  columns: Matrix['sources']
  obstacle: string | undefined
}

function GridArea({ matrix, rows, columns, obstacle }: GridAreaProps) {
  const area = useRef<HTMLElement>(null)
  const id = useId()
  const showsPictures = useStore($showsPictures)
  const onFind = () => area.current?.parentElement?.querySelector<HTMLElement>('input[type=search]')?.focus()
  const { cursor, entry, ...handlers } = useControls({ matrix, destinations: rows, sources: columns, obstacle, onFind })
  usePageKeys(area, handlers.onKey)
  return (
    <>
      <section className="scroll" ref={area} aria-label={matrix.name}>
        <Grid
          matrix={matrix}
          destinations={rows}
          sources={columns}
          cursor={cursor}
          showsPictures={showsPictures}
          describedBy={id}
          {...handlers}
        />
      </section>
      <FocusLine matrix={matrix} cursor={cursor} entry={entry} />
      <TakeBar matrix={matrix} obstacle={obstacle} />
      <small id={id} className="keys-hint">
        {t(TEXT.keysHint)}
      </small>
    </>
  )
}
