// The page for one destination, for a tablet at a door: large buttons for its sources, without a menu. An old state
// never passes for the current one: the page covers it until the hub responds.
import { useEffect, useState } from 'react'
import type { Matrix, MatrixDestination } from '../../../contract/ndi/router.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { useWakeLock } from '../../parts/wake-lock.ts'
import { linkTo } from '../../paths.ts'
import { setQuery, useParams, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $announcement, $taking } from './armed.ts'
import { $isCurrent } from './current-state.ts'
import { labelOf, sourceLabel } from './describe.ts'
import { DestinationPicture, DestinationState } from './destination-state.tsx'
import { SourceChoice } from './source-choice.tsx'
import { $matrices } from './store.ts'
import { takeNow } from './take.ts'
import { TEXT } from './text.ts'
import { useMatrix, useStructureChange, useTakeObstacle } from './use-matrix.ts'

export function NdiDestinationScreen() {
  const { matrixId, destination: number } = useParams()
  const matrix = useMatrix(Number(matrixId))
  const isCurrent = useStore($isCurrent)
  const destination = matrix?.destinations.find(({ index }) => String(index) === number)
  const title = destination ? labelOf(destination) : ''
  useWakeLock()
  useEffect(() => {
    document.title = `${title} · Headend`
  }, [title])
  const placeholder = usePlaceholder(
    $matrices,
    destination === undefined,
    <EmptyState icon="router" isPage title={t(TEXT.noDestination)} text={t(TEXT.unknownMatrixText)}>
      <a href={`#${linkTo('ndiRouter')}`}>{t(TEXT.toMatrices)}</a>
    </EmptyState>
  )
  return (
    <main className="door" data-old={!isCurrent || undefined}>
      {placeholder ?? (matrix && destination && <Destination matrix={matrix} destination={destination} />)}
    </main>
  )
}

interface DestinationProps {
  matrix: Matrix
  destination: MatrixDestination
}

function Destination({ matrix, destination }: DestinationProps) {
  const isCurrent = useStore($isCurrent)
  const obstacle = useTakeObstacle()
  const taking = useStore($taking).get(destination.index)
  const asksFirst = useQuery().get('confirm') === '1'
  const [chosen, setChosen] = useState<number>()
  useStructureChange(matrix, () => setChosen(undefined))
  const take = (source: number) => {
    setChosen(undefined)
    if (source !== destination.source) void takeNow(matrix, [{ destination: destination.index, source }])
  }
  const choose = (source: number) => {
    if (!asksFirst) take(source)
    else setChosen(source === destination.source ? undefined : source)
  }
  return (
    <>
      <header className="door-header">
        {isCurrent && destination.source > 0 && (
          <span className="door-picture">
            <DestinationPicture matrix={matrix} destination={destination} />
          </span>
        )}
        <div className="label">
          <h1>{labelOf(destination)}</h1>
          {isCurrent ? (
            <p className="row">
              <strong>{t(TEXT.now, sourceLabel(matrix, destination.source))}</strong>
              <DestinationState matrix={matrix} destination={destination} />
            </p>
          ) : (
            <p role="alert">
              <strong>{t(TEXT.oldState)}</strong> {t(TEXT.oldStateText)}
            </p>
          )}
          {isCurrent && obstacle && <p role="status">{obstacle}</p>}
        </div>
        <DoorControls matrix={matrix} asksFirst={asksFirst} />
      </header>
      <SourceChoice
        matrix={matrix}
        current={isCurrent ? destination.source : -1}
        state={destination.state}
        armed={chosen}
        taking={taking}
        disabledReason={obstacle}
        onChoose={choose}
      />
      {chosen !== undefined && (
        <div className="take-bar">
          <Button
            kind="main"
            label={t(TEXT.confirmTake, sourceLabel(matrix, chosen))}
            disabled={obstacle !== undefined}
            tooltip={obstacle}
            onClick={() => take(chosen)}
          />
          <Button label={t(TEXT.cancel)} onClick={() => setChosen(undefined)} />
        </div>
      )}
      <span className="unseen" role="status">
        {useStore($announcement)}
      </span>
    </>
  )
}

/** The choice whether takes are confirmed is in the URL, so that the tablet's bookmark keeps it. */
function DoorControls({ matrix, asksFirst }: { matrix: Matrix; asksFirst: boolean }) {
  return (
    <span className="push row">
      <SwitchField
        name="confirm"
        label={t(TEXT.confirmFirst)}
        value={asksFirst}
        onValueChange={(isOn) => setQuery({ confirm: isOn ? '1' : '' })}
      />
      {document.fullscreenEnabled && (
        <Button
          icon="screen"
          label={t(TEXT.fullScreen)}
          onClick={() => void document.documentElement.requestFullscreen()}
        />
      )}
      <a className="button" href={`#${linkTo('ndiMatrix', { matrixId: String(matrix.id) })}`}>
        {t(TEXT.toMatrix)}
      </a>
    </span>
  )
}
