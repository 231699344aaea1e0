// The NDI sources in the network by machine, with pictures, and those that are in use and not found.
import type { ReactNode } from 'react'
import { NDI_SOURCE_OFFLINE } from '../../../contract/codes.ts'
import { machineOf, sourceNameOf } from '../../../contract/ndi/missing.ts'
import { addNdiPreset } from '../../../contract/ndi/preset.ts'
import { ndiPreviewId } from '../../../contract/ndi/preview-id.ts'
import { setChannelInput } from '../../../contract/stream/channel.ts'
import type { MissingNdiSource, NdiSource } from '../../../contract/stream/ndi.ts'
import { CallButton } from '../../parts/actions.tsx'
import { FirstStep } from '../../parts/first-step.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { proposeAlias } from '../../parts/source/ndi-alias.ts'
import { PreviewImage } from '../../preview/preview-image.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { previews } from '../../state/previews.ts'
import { $inputs, $ndiSources } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { addPreset } from './preset-dialog.ts'
import { TEXT } from './text.ts'
import { UseSourceDialog } from './use-dialog.tsx'
import { SourceUsers } from './users.tsx'

/** Size and rate in which a channel receives a source, which are not known before, and its address. */
function factsOf({ format, addr }: NdiSource): string {
  const { width, height, fps, interlaced } = format ?? {}
  const size = width && height && `${width} × ${height}${interlaced ? 'i' : ''}${fps ? ` · ${fps} fps` : ''}`
  return [size || t(TEXT.formatUnknown), addr].filter(Boolean).join(' · ')
}

function SourceTile({ source, canReceive }: { source: NdiSource; canReceive: boolean }) {
  const { name, presets, state } = source
  const inputs = useStore($inputs).items
  const id = canReceive ? ndiPreviewId(name) : undefined
  const alias = () =>
    proposeAlias(
      name,
      inputs.map((input) => input.name)
    )
  return (
    <li className="tile">
      {id ? (
        <PreviewImage previews={previews} id={id} alt={name} emptyText={t(TEXT.noPicture)} />
      ) : (
        <div className="picture">{t(TEXT.needsRuntime)}</div>
      )}
      <footer>
        <span className="tile-name">
          <strong className="cut" data-tip="">
            {sourceNameOf(name)}
          </strong>
          <small className="cut muted">{factsOf(source)}</small>
          {state === NDI_SOURCE_OFFLINE && <StatusLabel tone="warn" text={t(TEXT.silent)} />}
          <small className="muted">
            <SourceUsers source={source} />
          </small>
        </span>
        {presets.length === 0 && (
          <CallButton
            call={addNdiPreset}
            iconOnly
            icon="star"
            label={t(TEXT.savePreset, name)}
            onClick={() => addPreset({ name, alias: alias() })}
          />
        )}
        <CallButton
          call={setChannelInput}
          iconOnly
          icon="channels"
          label={t(TEXT.use, name)}
          onClick={() => openDialog(UseSourceDialog, { source, alias: alias() })}
        />
      </footer>
    </li>
  )
}

const MissingSource = ({ source }: { source: MissingNdiSource }) => (
  <li>
    <strong>{source.name}</strong>{' '}
    <span className="muted">
      <SourceUsers source={source} />
    </span>
    <p>{t(TEXT.mayBe)}</p>
    <ul>
      {source.texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </li>
)

/** The sources of each machine, in the order of the list. */
function groupByMachine(sources: readonly NdiSource[]): [machine: string, sources: NdiSource[]][] {
  const groups = new Map<string, NdiSource[]>()
  for (const source of sources) {
    const machine = machineOf(source.name)
    groups.set(machine, [...(groups.get(machine) ?? []), source])
  }
  return [...groups]
}

const countText = (count: number) => (count === 1 ? t(TEXT.oneSource) : t(TEXT.count, count))

/** Names the missing parts of the hub, and their effect on the list. */
function RuntimeNote(): ReactNode {
  const { items, response } = useStore($ndiSources)
  const { reason, 'next-step': step } = response?.runtime ?? {}
  if (!reason) return null
  return (
    <div className="banner" data-tone="warn" role="status">
      <div>
        <strong>{reason}</strong>
        <div>{step}</div>
        {items.length > 0 && <div>{t(TEXT.dnsSd)}</div>}
      </div>
    </div>
  )
}

export function FoundSources() {
  const { items, response } = useStore($ndiSources)
  const key = useQuery().get('key') ?? ''
  const isMatch = ({ name }: { name: string }) => name.toLowerCase().includes(key.toLowerCase())
  const sources = items.filter(isMatch)
  const missing = (response?.missing ?? []).filter(isMatch)
  const canReceive = response?.runtime.version !== undefined
  const addButton = <CallButton call={addNdiPreset} icon="plus" label={t(TEXT.add)} onClick={() => addPreset()} />
  const empty = key ? (
    <EmptyState icon="search" title={t(TEXT.noMatch)} />
  ) : (
    <EmptyState icon="camera" title={t(TEXT.none)} text={t(TEXT.noneText)}>
      <FirstStep call={addNdiPreset}>{addButton}</FirstStep>
    </EmptyState>
  )
  const placeholder = usePlaceholder($ndiSources, sources.length === 0, empty)
  return (
    <div className="stack">
      <div className="tools">
        <SearchBox label={t(UI.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
        {(key || sources.length > 0) && addButton}
      </div>
      <RuntimeNote />
      {placeholder ??
        groupByMachine(sources).map(([machine, ofMachine]) => (
          <Card key={machine} title={machine} note={countText(ofMachine.length)} fullWidth>
            <ul className="tiles">
              {ofMachine.map((source) => (
                <SourceTile key={source.name} source={source} canReceive={canReceive} />
              ))}
            </ul>
          </Card>
        ))}
      {missing.length > 0 && (
        <Card title={t(TEXT.missing)} note={countText(missing.length)} fullWidth>
          <ul className="stack">
            {missing.map((source) => (
              <MissingSource key={source.name} source={source} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}
