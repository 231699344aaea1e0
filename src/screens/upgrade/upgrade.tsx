// The hub's console and its updates: what there is, what was uploaded, and what became of the last one.
import type { Envelope } from '../../../contract/call.ts'
import {
  type ConsoleHeld,
  cancelUpdate,
  revertUpdate,
  startUpdate,
  UPDATE_STATE,
  uploadUpdate
} from '../../../contract/update.ts'
import { ActButton, type Action } from '../../parts/actions.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { change, well } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { answerText } from '../../text/response-message.ts'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/table.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { $update, cancel, upload } from './store.ts'
import { TEXT } from './text.ts'

const nameOf = ({ version }: ConsoleHeld) => version

const COLUMNS: readonly Column<ConsoleHeld>[] = [
  { key: 'slot', title: TEXT.place, text: ({ slot, place = slot }) => place },
  { key: 'version', title: TEXT.version, text: nameOf },
  {
    key: 'state',
    title: TEXT.state,
    cell: ({ use, tone = 'off', text = use }) => <State tone={tone} text={text} />
  },
  {
    key: 'commit',
    title: TEXT.commit,
    cell: ({ commit, changed, development }) => (
      <>
        {commit && <code>{commit.slice(0, 12) + (changed ? '+' : '')}</code>}{' '}
        {development && <State tone="warn" text={t(TEXT.development)} />}
      </>
    ),
    hide: 'xs'
  }
]

/** The other console takes the place of this one, also in this browser: it has to show that it works. */
async function renew(work: Promise<Envelope>): Promise<boolean> {
  const done = await well(work)
  if (done) location.reload()
  return done
}

const isReady = ({ use }: ConsoleHeld) => use === 'ready'

const ACTIONS: readonly Action<ConsoleHeld>[] = [
  {
    call: startUpdate,
    icon: 'check',
    verb: TEXT.install,
    kind: 'main',
    fits: isReady,
    ask: ([one]) => t(one?.older ? TEXT.older : TEXT.stays),
    run: ([one]) => renew(change(startUpdate, { id: one?.id ?? '', force: true }))
  },
  { call: cancelUpdate, icon: 'delete', verb: UI.cancel, fits: isReady, run: cancel },
  {
    call: revertUpdate,
    icon: 'back',
    verb: TEXT.revert,
    fits: ({ use }) => use === 'former',
    ask: () => t(TEXT.stays),
    run: () => renew(change(revertUpdate, {}))
  }
]

export function UpgradeScreen() {
  const { value } = useStore($update)
  const { state = 0, progress = 0, consoles = [] } = value ?? {}
  const result = value?.['online-status']['update-result']
  return (
    <>
      {result ? (
        <div className="banner" role="alert">
          <span>{answerText({ ...value, result }).join(' · ')}</span>
          {state === UPDATE_STATE.failed && (
            <ActButton call={cancelUpdate} bare icon="close" label={t(UI.dismiss)} onAct={cancel} />
          )}
        </div>
      ) : null}
      <Rows
        of={$update}
        rows={consoles}
        list="consoles"
        title={TEXT.title}
        columns={COLUMNS}
        keyOf={({ slot }) => slot}
        nameOf={nameOf}
        tools={
          <FileButton
            call={uploadUpdate}
            label={t(TEXT.upload)}
            accept=".update"
            sending={
              state & (UPDATE_STATE.uploading | UPDATE_STATE.verifying)
                ? { name: t(state & UPDATE_STATE.uploading ? TEXT.upload : TEXT.verifying), share: progress / 100 }
                : undefined
            }
            onFile={upload}
            onCancel={cancel}
          />
        }
        acts={ACTIONS}
      />
    </>
  )
}
