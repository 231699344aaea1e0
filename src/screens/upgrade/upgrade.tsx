// Updates of the hub and of its console: the stored versions, the upload of an update, and the result of the last one.

import { useEffect } from 'react'
import { cancelUpdate, restartStreams, UPDATE_STATE, uploadUpdate } from '../../../contract/update.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import { CallButton } from '../../parts/actions.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { $system } from '../../state/system.ts'
import { t } from '../../text/language.ts'
import { responseLines } from '../../text/response-message.ts'
import { Card } from '../../ui/card.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import * as UI from '../../ui/text.ts'
import { useStore } from '../../ui/use-store.ts'
import { HardwareUpdate } from './hardware-update.tsx'
import { HubVersion } from './hub-version.tsx'
import { OnlineUpdates } from './online.tsx'
import { RollbackCard } from './rollback.tsx'
import { $update, discardUpdate, reloadForTrial, uploadPackage } from './store.ts'
import { TEXT } from './text.ts'
import { ConsoleList, ReleaseList } from './versions.tsx'

/** What the hub does with an upload, by its bit of `state`. */
const UPLOAD_PHASES = [
  [UPDATE_STATE.checking, TEXT.checking],
  [UPDATE_STATE.uploading, TEXT.upload],
  [UPDATE_STATE.verifying, TEXT.verifying],
  [UPDATE_STATE.cancelling, TEXT.cancelling]
] as const

/** Uploads an update of the hub or of its console. Nothing if no key is trusted. */
function UploadButton({ disabledReason }: { disabledReason?: string | undefined }) {
  const { state = 0, progress = 0, 'enable-update': isEnabled } = useStore($update).value ?? {}
  const phase = UPLOAD_PHASES.find(([bit]) => state & bit)
  return (
    isEnabled && (
      <FileButton
        call={uploadUpdate}
        label={t(TEXT.upload)}
        accept=".update"
        upload={phase && { name: t(phase[1]), progress: state & UPDATE_STATE.uploading ? progress / 100 : undefined }}
        onFile={uploadPackage}
        onCancel={discardUpdate}
        disabledReason={disabledReason}
      />
    )
  )
}

/** Streams carry on with the engine of the release before until they are switched over. */
function EngineNote({ version, fault }: { version: string; fault: string | undefined }) {
  return (
    <div className="banner">
      <div>
        {fault && <p role="alert">{fault}</p>}
        <p>{t(TEXT.engine, version)}</p>
      </div>
      <CallButton
        call={restartStreams}
        label={t(TEXT.switchOver)}
        onClick={() => sendMutation(restartStreams, {}, { success: { text: TEXT.switchOverStarted } })}
      />
    </div>
  )
}

export function UpgradeScreen() {
  const { value } = useStore($update)
  const script = useStore($system).value?.status.system.info['console-trial']
  useEffect(() => reloadForTrial(script), [script])
  const { state = 0, consoles = [], releases, rollback, 'engine-version': engine, 'trusted-keys': keys } = value ?? {}
  const { 'switch-over-fault': switchOverFault, 'update-fault': fault } = value ?? {}
  const { 'update-result': result } = value?.['online-status'] ?? {}
  const noKeys = { reason: t(TEXT.noKeys), 'next-step': t(TEXT.installKey), command: value?.command }
  const refused = releases?.some(({ use }) => use === 'trial') ? t(TEXT.refused) : undefined
  if (value && !value.consoles) return <HubVersion status={value} />
  return (
    <>
      {/* The card below says it, with the command. */}
      {result && fault !== 'no-keys' ? (
        <div className="banner" role="alert">
          <span>{responseLines({ ...value, result }).join(' · ')}</span>
          {state === UPDATE_STATE.failed && (
            <CallButton call={cancelUpdate} iconOnly icon="close" label={t(UI.dismiss)} onClick={discardUpdate} />
          )}
        </div>
      ) : null}
      {value?.['enable-update'] === false && (
        <NotSetUp
          parts={[
            [t(TEXT.upload), noKeys],
            [t(TEXT.keys), noKeys]
          ]}
        />
      )}
      {rollback && <RollbackCard {...rollback} />}
      {engine && !refused && <EngineNote version={engine} fault={switchOverFault} />}
      {releases ? (
        <>
          <div className="stack">
            <ReleaseList
              rows={releases}
              toolbar={
                <>
                  <UploadButton disabledReason={refused} />
                  {refused && <p role="status">{refused}</p>}
                </>
              }
            />
          </div>
          <details open={consoles.some(({ use }) => use === 'ready' || use === 'trial')}>
            <summary>{t(TEXT.consoleOnly)}</summary>
            <ConsoleList rows={consoles} />
          </details>
        </>
      ) : (
        <div className="stack">
          <ConsoleList rows={consoles} toolbar={<UploadButton />} />
        </div>
      )}
      <OnlineUpdates />
      {value && <HardwareUpdate />}
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
