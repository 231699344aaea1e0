// The page on which the machine of the hub is restarted or shut down. It shows what stops, then how far the restart is,
// and opens the console when the hub answers again.
import { useEffect, useState } from 'react'
import type { Call } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { type PowerRequest, type PowerState, rebootSystem, shutDownSystem } from '../../../contract/machine/power.ts'
import { AccessNote } from '../../parts/access-note.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { ROUTES } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { notify } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { responseLines } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import { AccessDenied } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { followRestart, type HubProgress } from './follow.ts'
import { FaultText, FullPage, Interrupted, Progress } from './full-page.tsx'
import { $power, sendWithConsent } from './store.ts'
import { TEXT } from './text.ts'

type PowerAction = 'reboot' | 'shutdown'

const CALLS: Readonly<Record<PowerAction, Call<PowerRequest, object>>> = {
  reboot: rebootSystem,
  shutdown: shutDownSystem
}

/** A restart that the hub has accepted. */
interface Accepted {
  action: PowerAction
  /** Start time of the hub that accepted it. */
  startTime: number
}

export function RebootScreen() {
  const [accepted, setAccepted] = useState<Accepted>()
  const [faults, setFaults] = useState<readonly string[]>([])
  if (accepted)
    return (
      <RestartProgress
        {...accepted}
        onFailure={(reason) => {
          setAccepted(undefined)
          setFaults([reason])
        }}
      />
    )
  return <RebootQuestion faults={faults} onFaults={setFaults} onAccepted={setAccepted} />
}

interface RebootQuestionProps {
  faults: readonly string[]
  onFaults: (lines: readonly string[]) => void
  onAccepted: (accepted: Accepted) => void
}

function RebootQuestion({ faults, onFaults, onAccepted }: RebootQuestionProps) {
  const { value } = useStore($power)
  const placeholder = usePlaceholder($power, !value, null)
  return (
    <FullPage title={t(TEXT.rebootTitle)} hasBack>
      {!value ? (
        placeholder
      ) : (
        <>
          <p>{t(TEXT.rebootText)}</p>
          <p className="muted">{t(TEXT.recordings)}</p>
          <Interrupted state={value} />
          <PowerButtons state={value} onFaults={onFaults} onAccepted={onAccepted} />
          <FaultText lines={faults.length > 0 ? faults : value.failure ? [value.failure] : []} />
        </>
      )}
    </FullPage>
  )
}

/** The buttons, or why there are none. */
function PowerButtons({ state, onFaults, onAccepted }: Omit<RebootQuestionProps, 'faults'> & { state: PowerState }) {
  const isAllowed = useStore($isAllowed)
  const [running, setRunning] = useState<PowerAction>()
  const { access, busy } = state
  if (!isAllowed(rebootSystem)) return <AccessDenied />
  if (access.reason) return <AccessNote access={access} />
  async function begin(action: PowerAction): Promise<void> {
    setRunning(action)
    onFaults([])
    const isReboot = action === 'reboot'
    const response = await sendWithConsent(
      CALLS[action],
      { 'dry-run': 'if-off-air' },
      {
        title: t(isReboot ? TEXT.restartQuestion : TEXT.shutDownQuestion),
        confirmLabel: t(isReboot ? TEXT.restart : TEXT.shutDown),
        ...(!isReboot && { note: t(TEXT.shutDownNote) })
      }
    )
    setRunning(undefined)
    if (response?.result === SUCCESS) onAccepted({ action, startTime: state['start-time'] })
    else if (response) onFaults(responseLines(response))
  }
  return (
    <>
      {busy && <p role="status">{busy}</p>}
      <p className="row">
        {(['reboot', 'shutdown'] as const).map((action) => (
          <Button
            key={action}
            kind="danger"
            label={t(action === 'reboot' ? TEXT.restart : TEXT.shutDown)}
            busy={running === action}
            disabled={busy !== undefined || running !== undefined}
            onClick={() => void begin(action)}
          />
        ))}
      </p>
    </>
  )
}

function openConsole(): void {
  notify(SUCCESS, { text: TEXT.restarted })
  navigate(ROUTES.dashboard, { replace: true })
}

function RestartProgress({ action, startTime, onFailure }: Accepted & { onFailure: (reason: string) => void }) {
  const [progress, setProgress] = useState<HubProgress>({ state: 'running' })
  useEffect(() => {
    const abort = new AbortController()
    void followRestart(
      startTime,
      (next) => {
        setProgress(next)
        if (next.state === 'back') openConsole()
        if (next.state === 'failed') onFailure(next.reason)
      },
      abort.signal
    )
    return () => abort.abort()
  }, [startTime])
  const isAway = progress.state === 'away'
  if (action === 'shutdown')
    return (
      <Progress
        title={t(isAway ? TEXT.stopped : TEXT.shuttingDown)}
        text={t(isAway ? TEXT.stoppedText : TEXT.shuttingDownText)}
        isEnded={isAway}
      />
    )
  return (
    <Progress
      title={t(isAway ? TEXT.away : TEXT.restarting)}
      text={t(isAway ? TEXT.awayText : TEXT.restartingText)}
      longText={t(TEXT.long)}
    />
  )
}
