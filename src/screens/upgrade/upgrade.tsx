// Console updates: the stored versions, the upload of an update, and the result of the last update.

import type { Envelope, ResponseOf } from '../../../contract/call.ts'
import { UPDATE_STATUS_BITS } from '../../../contract/system.ts'
import { SLOT_LABELS, USE_LABELS } from '../../../contract/text/update-labels.ts'
import {
  cancelUpdate,
  revertUpdate,
  type StoredConsole,
  startUpdate,
  UPDATE_STATE,
  type updateStatus,
  uploadUpdate
} from '../../../contract/update.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import { type Action, CallButton } from '../../parts/actions.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { codeText } from '../../text/codes.ts'
import { hubStatusText } from '../../text/hub-status.ts'
import { t } from '../../text/language.ts'
import { percent } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { responseLines } from '../../text/response-message.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { $update, discardUpdate, uploadPackage } from './store.ts'
import { TEXT } from './text.ts'

/** All bits of the update service. */
const UPDATE_SERVICE_BITS = Object.values(UPDATE_STATUS_BITS).reduce((all, bit) => all | bit, 0)

const nameOf = ({ version }: StoredConsole) => version

const COLUMNS: readonly Column<StoredConsole>[] = [
  { key: 'slot', title: TEXT.place, text: ({ slot, place }) => place ?? t(SLOT_LABELS[slot]) },
  { key: 'version', title: TEXT.version, text: nameOf },
  {
    key: 'state',
    title: TEXT.state,
    cell: ({ use, left = 0, tone, text }) => {
      const [toneOfUse, label] = USE_LABELS[use]
      return <StatusLabel tone={tone ?? toneOfUse} text={text ?? t(label, left)} />
    }
  },
  {
    key: 'commit',
    title: TEXT.commit,
    cell: ({ commit, changed, development }) => (
      <>
        {commit && <code>{commit.slice(0, 12) + (changed ? '+' : '')}</code>}{' '}
        {development && <StatusLabel tone="warn" text={t(TEXT.development)} />}
      </>
    ),
    hide: 'xs'
  }
]

/** Reloads the page after the switch to another console. The hub keeps that console only if it loads. */
async function reloadAfter(mutation: Promise<Envelope>): Promise<boolean> {
  const isDone = await succeeded(mutation)
  if (isDone) location.reload()
  return isDone
}

const isReady = ({ use }: StoredConsole) => use === 'ready'

const started = (console?: StoredConsole) => ({ text: OUTCOME.started, names: [console?.version ?? ''] })

const ACTIONS: readonly Action<StoredConsole>[] = [
  {
    call: startUpdate,
    icon: 'check',
    verb: TEXT.install,
    kind: 'main',
    isApplicable: isReady,
    confirmText: ([update]) => t(update?.older ? TEXT.older : TEXT.stays),
    run: ([update]) =>
      reloadAfter(sendMutation(startUpdate, { id: update?.id ?? '', force: true }, { success: started(update) }))
  },
  { call: cancelUpdate, icon: 'delete', verb: UI.cancel, isApplicable: isReady, run: discardUpdate },
  {
    call: revertUpdate,
    icon: 'back',
    verb: TEXT.revert,
    isApplicable: ({ use }) => use === 'former',
    confirmText: () => t(TEXT.stays),
    run: ([former]) => reloadAfter(sendMutation(revertUpdate, {}, { success: started(former) }))
  }
]

/** What the hub does with an upload, by its bit of `state`. */
const UPLOAD_PHASES = [
  [UPDATE_STATE.checking, TEXT.checking],
  [UPDATE_STATE.uploading, TEXT.upload],
  [UPDATE_STATE.verifying, TEXT.verifying],
  [UPDATE_STATE.cancelling, TEXT.cancelling]
] as const

/** The version of a hub that does not have several consoles, and what its own update service does. */
function HubVersion({ status }: { status: ResponseOf<typeof updateStatus> }) {
  const { version, state, progress, 'online-status': online } = status
  const { 'is-newest': isNewest, 'newest-version': newest, 'update-result': result } = online ?? {}
  const [text] = hubStatusText(state & UPDATE_SERVICE_BITS)
  const cause = state & UPDATE_STATE.failed && result ? codeText(result) : ''
  const detail = state & UPDATE_STATE.pulling ? percent(progress) : cause
  return (
    <Card title={t(TEXT.hub)}>
      <DescriptionList
        items={[
          [t(TEXT.version), version],
          [t(TEXT.newest), isNewest ? t(TEXT.isNewest) : newest],
          [t(TEXT.state), text ? [text, detail].filter(Boolean).join(' ') : t(TEXT.idle)]
        ]}
      />
    </Card>
  )
}

export function UpgradeScreen() {
  const { value } = useStore($update)
  const { state = 0, progress = 0, consoles, 'trusted-keys': keys } = value ?? {}
  const phase = UPLOAD_PHASES.find(([bit]) => state & bit)
  const isEnabled = value && value['enable-update'] !== false
  const { 'update-result': result } = value?.['online-status'] ?? {}
  const noKeys = { reason: t(TEXT.noKeys), 'next-step': t(TEXT.installKey), command: value?.command }
  if (value && !consoles) return <HubVersion status={value} />
  return (
    <>
      {result ? (
        <div className="banner" role="alert">
          <span>{responseLines({ ...value, result }).join(' · ')}</span>
          {state === UPDATE_STATE.failed && (
            <CallButton call={cancelUpdate} iconOnly icon="close" label={t(UI.dismiss)} onClick={discardUpdate} />
          )}
        </div>
      ) : null}
      {value && !isEnabled && (
        <NotSetUp
          parts={[
            [t(TEXT.upload), noKeys],
            [t(TEXT.keys), noKeys]
          ]}
        />
      )}
      <ResourceList
        store={$update}
        rows={consoles ?? []}
        settingsKey="consoles"
        title={TEXT.title}
        columns={COLUMNS}
        keyOf={({ slot }) => slot}
        nameOf={nameOf}
        toolbar={
          isEnabled && (
            <FileButton
              call={uploadUpdate}
              label={t(TEXT.upload)}
              accept=".update"
              upload={phase && { name: t(phase[1]), progress: progress / 100 }}
              onFile={uploadPackage}
              onCancel={discardUpdate}
            />
          )
        }
        actions={ACTIONS}
      />
      {keys?.length ? (
        <Card title={t(TEXT.keys)} note={t(TEXT.keysNote)}>
          {keys.map(({ fingerprint, development }) => (
            <p key={fingerprint} className="row">
              <code>{fingerprint}</code>
              {development && <StatusLabel tone="warn" text={t(TEXT.development)} />}
            </p>
          ))}
        </Card>
      ) : null}
    </>
  )
}
