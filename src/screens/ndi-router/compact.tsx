// The matrix without a grid: a destination, and a button for each source that it can get. On a phone one after the
// other, otherwise beside each other. The destination is in the URL, so that the back button returns to the others.
import type { ReactNode } from 'react'
import type { Matrix, MatrixDestination } from '../../../contract/ndi/router.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $armed, $armsFirst, $showsPictures, $taking } from './armed.ts'
import { Banner } from './banner.tsx'
import { labelOf, matchesText, numberedLabel, sourceLabel } from './describe.ts'
import { DestinationPicture, DestinationState, LockButton } from './destination-state.tsx'
import { PageLink } from './page-link.tsx'
import { SourceChoice } from './source-choice.tsx'
import { toggleLock } from './take.ts'
import { TakeBar } from './take-bar.tsx'
import { TEXT } from './text.ts'
import { takeOne, toggleArmed } from './use-controls.ts'

/** Sources up to which their list has no search box. */
const FEW_SOURCES = 8

interface CompactProps {
  matrix: Matrix
  /** Why nothing can be switched. */
  obstacle: string | undefined
  toolbar: ReactNode
}

export function Compact({ matrix, obstacle, toolbar }: CompactProps) {
  const query = useQuery()
  const chosen = matrix.destinations.find(({ index }) => String(index) === query.get('destination'))
  return (
    <div className="list router compact">
      {!chosen && toolbar}
      <Banner role="status" text={obstacle} />
      {chosen ? (
        <SourcesOf matrix={matrix} destination={chosen} obstacle={obstacle} text={query.get('key') ?? ''} />
      ) : (
        <Destinations matrix={matrix} obstacle={obstacle} text={query.get('key') ?? ''} />
      )}
      <TakeBar matrix={matrix} obstacle={obstacle} />
    </div>
  )
}

/** The destinations, and beside them the sources of the chosen one: at first of the first one. */
export function PanelView({ matrix, obstacle, text }: PartProps) {
  const number = useQuery().get('destination')
  const chosen = matrix.destinations.find(({ index }) => String(index) === number) ?? matrix.destinations[0]
  return (
    <>
      <div className="panel-view">
        <div className="scroll">
          <Destinations matrix={matrix} obstacle={obstacle} text="" chosen={chosen?.index} />
        </div>
        {chosen && (
          <section className="scroll" aria-label={t(TEXT.chooseSource, labelOf(chosen))}>
            <h2 className="tools">{t(TEXT.chooseSource, labelOf(chosen))}</h2>
            <ChoiceFor matrix={matrix} destination={chosen} obstacle={obstacle} text={text} />
          </section>
        )}
      </div>
      <TakeBar matrix={matrix} obstacle={obstacle} />
    </>
  )
}

interface PartProps {
  matrix: Matrix
  obstacle: string | undefined
  /** The search text. */
  text: string
}

/** @param props `chosen`: the destination whose sources are beside the list */
function Destinations({ matrix, obstacle, text, chosen }: PartProps & { chosen?: number | undefined }) {
  const armed = useStore($armed)
  const showsPictures = useStore($showsPictures)
  const shown = matrix.destinations.filter((item) => matchesText(item, text))
  return (
    <ul className="lines destinations" aria-label={t(TEXT.destinations)}>
      {shown.length === 0 && <li className="muted">{t(TEXT.noMatch, text)}</li>}
      {shown.map((destination) => (
        <li key={destination.index}>
          <button
            type="button"
            className="choice"
            aria-current={destination.index === chosen || undefined}
            onClick={() => setQuery({ destination: String(destination.index), key: '' }, chosen !== undefined)}
          >
            {showsPictures && (
              <span className="thumbnail">
                <DestinationPicture matrix={matrix} destination={destination} />
              </span>
            )}
            <span className="label">
              <strong className="cut">{numberedLabel(destination)}</strong>
              <span className="cut">{sourceLabel(matrix, destination.source)}</span>
              <DestinationState matrix={matrix} destination={destination} armed={armed.get(destination.index)} />
            </span>
          </button>
          <LockButton
            destination={destination}
            disabledReason={obstacle}
            onClick={() => toggleLock(matrix, destination)}
          />
        </li>
      ))}
    </ul>
  )
}

interface DestinationProps {
  matrix: Matrix
  destination: MatrixDestination
}

/** A button for each source of a destination. */
function ChoiceFor({ matrix, destination, obstacle, text }: PartProps & DestinationProps) {
  const armsFirst = useStore($armsFirst)
  const armed = useStore($armed).get(destination.index)
  const taking = useStore($taking).get(destination.index)
  const choose = (source: number) => {
    const take = { destination: destination.index, source }
    if (armsFirst) toggleArmed(matrix, take)
    else takeOne(matrix, take)
  }
  return (
    <SourceChoice
      matrix={matrix}
      current={destination.source}
      state={destination.state}
      armed={armed}
      taking={taking}
      text={text}
      disabledReason={obstacle}
      onChoose={choose}
    />
  )
}

function SourcesOf({ matrix, destination, obstacle, text }: PartProps & DestinationProps) {
  return (
    <>
      <div className="tools">
        <Button
          icon="back"
          label={t(TEXT.toDestinations)}
          onClick={() => setQuery({ destination: '', key: '' }, false)}
        />
        <h2>{t(TEXT.chooseSource, labelOf(destination))}</h2>
        <PageLink matrixId={matrix.id} destination={destination} />
        {matrix.sources.length > FEW_SOURCES && (
          <SearchBox label={t(TEXT.findSource)} value={text} onSearch={(key) => setQuery({ key })} />
        )}
        <p className="row">
          {t(TEXT.now, sourceLabel(matrix, destination.source))}
          <DestinationState matrix={matrix} destination={destination} />
        </p>
      </div>
      <ChoiceFor matrix={matrix} destination={destination} obstacle={obstacle} text={text} />
    </>
  )
}
