// The firmware files that the hub keeps, and the way to more of them.
import { useLayoutEffect, useRef } from 'react'
import { deleteFirmware, type Firmware, startRollout, uploadFirmware } from '../../../contract/firmware.ts'
import { versionText } from '../../../contract/mwf.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { navigate, setQuery, useQuery } from '../../state/location.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/condition.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $files, ask, removeFiles } from './store.ts'
import { TEXT } from './text.ts'
import { $upload, uploadFile } from './upload.ts'

export const nameOf = (file: Firmware) => t(TEXT.named, file['product-name'], versionText(file))

/** The version, and that it is a test build. */
export function Version({ version, test }: { version: string; test: number }) {
  return (
    <span className="row">
      <span className="num">{version}</span>
      {test !== 0 && <State tone="warn" text={t(TEXT.test)} />}
    </span>
  )
}

const COLUMNS: readonly Column<Firmware>[] = [
  { key: 'product', title: TEXT.product, text: (file) => file['product-name'] },
  {
    key: 'version',
    title: TEXT.version,
    cell: (file) => <Version version={versionText(file)} test={file['firmware-id']} />
  },
  { key: 'hardware', title: TEXT.hardware, text: (file) => file['hardware-ver'] },
  {
    key: 'size',
    title: TEXT.size,
    cell: (file) => bytes(file['file-size']),
    sort: (file) => file['file-size'],
    align: 'end',
    hide: 'xs'
  },
  {
    key: 'uploaded',
    title: TEXT.uploaded,
    cell: (file) => dateTime(file['upload-date'] * 1000),
    sort: (file) => file['upload-date'],
    hide: 'sm'
  },
  {
    key: 'built',
    title: TEXT.built,
    cell: (file) => file['build-time'] > 0 && dateTime(file['build-time'] * 1000),
    sort: (file) => file['build-time'],
    hide: true
  },
  { key: 'file', title: TEXT.file, text: (file) => file['file-path'], hide: true },
  { key: 'checksum', title: TEXT.checksum, text: (file) => file.sha256, hide: true }
]

const REMOVE: Action<Firmware> = {
  call: deleteFirmware,
  icon: 'delete',
  one: TEXT.remove,
  many: TEXT.removeMany,
  kind: 'danger',
  ask: { title: TEXT.removeTitle, text: TEXT.removeText },
  run: removeFiles
}

function UploadButton() {
  const input = useRef<HTMLInputElement>(null)
  const phase = useStore($upload)?.phase ?? 'refused'
  return (
    <>
      <ActButton
        call={uploadFirmware}
        barred={phase === 'refused' ? undefined : t(TEXT.oneAtATime)}
        kind="main"
        icon="upload"
        label={t(TEXT.upload)}
        onAct={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        accept=".mwf"
        hidden
        aria-label={t(TEXT.upload)}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void uploadFile(file)
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** @param sn the device for which files are looked for; empty = all files */
export function Files({ sn }: { sn: string }) {
  useLayoutEffect(() => ask('files', sn ? { sn } : {}))
  const { items } = useStore($files)
  const key = useQuery().get('key') ?? ''
  const rows = items.filter((file) => `${nameOf(file)}\n${file['file-path']}`.toLowerCase().includes(key.toLowerCase()))
  const update: Action<Firmware> = {
    call: startRollout,
    icon: 'chip',
    one: TEXT.update,
    many: TEXT.update,
    run: async ([file]) => {
      if (file) navigate(link('firmware', { file: String(file.id), sn }))
      return true
    }
  }
  const all = <Button label={t(TEXT.showAll)} onClick={() => setQuery({ key: '', sn: '' })} />
  const nothing =
    key || sn ? (
      <Empty icon="search" title={t(TEXT.noneFound)}>
        {all}
      </Empty>
    ) : (
      <Empty icon="chip" title={t(TEXT.none)} text={t(TEXT.noneText)} />
    )
  return (
    <Table
      list="firmware"
      label={t(TEXT.files)}
      columns={COLUMNS}
      rows={rows}
      keyOf={(file) => file.id}
      nameOf={nameOf}
      sorting={{ key: 'product', order: 'ascending' }}
      tools={
        <>
          <UploadButton />
          <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
          {sn && (
            <>
              <span>{t(TEXT.forDevice, sn)}</span>
              {all}
            </>
          )}
        </>
      }
      actions={(chosen, clear) => (
        <Actions actions={[REMOVE]} rows={chosen} nameOf={nameOf} these={TEXT.theseFiles} onDone={clear} />
      )}
      rowActions={(file) => <Actions actions={[update, REMOVE]} rows={[file]} nameOf={nameOf} />}
      instead={useInstead($files, rows.length === 0, nothing)}
    />
  )
}
