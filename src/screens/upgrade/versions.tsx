// The stored releases of the hub, and the stored versions of the console alone: what each is used for, and its actions.

import type { ReactNode } from 'react'
import type { Envelope } from '../../../contract/call.ts'
import { SYSTEM_STATUS_BITS } from '../../../contract/system.ts'
import { SLOT_LABELS, USE_LABELS } from '../../../contract/text/update-labels.ts'
import {
  cancelUpdate,
  revertUpdate,
  type StoredConsole,
  type StoredRelease,
  startUpdate,
  UPDATE_STATE
} from '../../../contract/update.ts'
import type { Action } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { dateTime } from '../../text/dates.ts'
import { hubStatusText } from '../../text/hub-status.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { $update, discardUpdate } from './store.ts'
import { TEXT } from './text.ts'

/** A console is in a slot. */
type StoredVersion = StoredRelease & Partial<Pick<StoredConsole, 'slot' | 'place'>>

const nameOf = ({ version }: StoredVersion) => version

const COLUMNS: readonly Column<StoredVersion>[] = [
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
  },
  { key: 'time', title: TEXT.time, cell: ({ time }) => time && dateTime(time), hide: 'xs' }
]

const CONSOLE_COLUMNS: typeof COLUMNS = [
  { key: 'slot', title: TEXT.place, text: ({ slot = 'built-in', place }) => place ?? t(SLOT_LABELS[slot]) },
  ...COLUMNS
]

/** Reloads the page after the switch to another console. The hub keeps that console only if it loads. */
async function reloadAfter(mutation: Promise<Envelope>): Promise<boolean> {
  const isDone = await succeeded(mutation)
  if (isDone) location.reload()
  return isDone
}

const isReady = ({ use }: StoredVersion) => use === 'ready'

const started = (update?: StoredVersion) => ({ success: { text: OUTCOME.started, names: [update?.version ?? ''] } })

const startVersion = (update?: StoredVersion) =>
  sendMutation(startUpdate, { id: update?.id ?? '', force: true }, started(update))

const DISCARD: Action<StoredVersion> = {
  call: cancelUpdate,
  icon: 'delete',
  verb: TEXT.discard,
  isApplicable: isReady,
  run: discardUpdate
}

/** Why nothing can be installed: an update is in progress. */
function busyReason(): string | undefined {
  const { state = 0 } = $update.get().value ?? {}
  const isBusy = state & ~(UPDATE_STATE.unavailable | UPDATE_STATE.failed)
  return isBusy ? hubStatusText(SYSTEM_STATUS_BITS.updating)[0] : undefined
}

const INSTALL = {
  call: startUpdate,
  icon: 'check',
  verb: TEXT.install,
  kind: 'main',
  isApplicable: isReady,
  disabledReason: busyReason
} as const
const REVERT = {
  call: revertUpdate,
  icon: 'back',
  verb: TEXT.revert,
  isApplicable: ({ use }: StoredVersion) => use === 'former',
  disabledReason: busyReason
} as const

/** The hub restarts, and the page is loaded again when it answers (`store.ts`). */
const RELEASE_ACTIONS: readonly Action<StoredVersion>[] = [
  {
    ...INSTALL,
    confirmText: ([update]) => [update?.older && t(TEXT.older), t(TEXT.restarts)].filter(Boolean).join(' '),
    run: ([update]) => succeeded(startVersion(update))
  },
  DISCARD,
  {
    ...REVERT,
    kind: 'danger',
    confirmText: () => t(TEXT.lost),
    run: ([former]) => succeeded(sendMutation(revertUpdate, { release: true, force: true }, started(former)))
  }
]

const CONSOLE_ACTIONS: readonly Action<StoredVersion>[] = [
  {
    ...INSTALL,
    confirmText: ([update]) => t(update?.older ? TEXT.older : TEXT.stays),
    run: ([update]) => reloadAfter(startVersion(update))
  },
  DISCARD,
  {
    ...REVERT,
    confirmText: () => t(TEXT.stays),
    run: ([former]) => reloadAfter(sendMutation(revertUpdate, {}, started(former)))
  }
]

interface VersionListProps {
  rows: readonly StoredVersion[]
  /** Controls above the list. */
  toolbar?: ReactNode
}

export const ReleaseList = (props: VersionListProps) => (
  <ResourceList
    {...props}
    store={$update}
    settingsKey="releases"
    title={TEXT.hub}
    columns={COLUMNS}
    // The release before may be uploaded again.
    keyOf={(release) => (isReady(release) ? release.use : release.version)}
    nameOf={nameOf}
    actions={RELEASE_ACTIONS}
  />
)

export const ConsoleList = (props: VersionListProps) => (
  <ResourceList
    {...props}
    store={$update}
    settingsKey="consoles"
    title={TEXT.title}
    columns={CONSOLE_COLUMNS}
    keyOf={({ slot = '' }) => slot}
    nameOf={nameOf}
    actions={CONSOLE_ACTIONS}
  />
)
