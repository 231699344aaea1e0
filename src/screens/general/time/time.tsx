// The part of the page about the clock: what the hub says, and in manage mode the forms.
import type { MachineAccess } from '../../../../contract/machine/machine.ts'
import { AccessNote } from '../../../parts/access-note.tsx'
import { usePlaceholder } from '../../../parts/load-state.tsx'
import { useStore } from '../../../ui/use-store.ts'
import { ClockForm } from './clock-form.tsx'
import { $time } from './store.ts'
import { SyncForm } from './sync-form.tsx'
import { TimeCard } from './time-card.tsx'
import { ZoneForm } from './zone-form.tsx'

/** Why the hub cannot change a part; undefined if it can. */
const obstacleOf = (access: MachineAccess) => access.reason && <AccessNote access={access} />

export function TimeSettings() {
  const { value, updatedAt } = useStore($time)
  const placeholder = usePlaceholder($time, !value, null)
  if (!value) return <>{placeholder}</>
  const { access, sync, zone } = value
  const status = <TimeCard status={value} difference={value.time - updatedAt} />
  if (access.machine === 'view') return status
  const obstacle = obstacleOf(access)
  return (
    <>
      {status}
      <ZoneForm zone={zone} obstacle={obstacle} />
      <SyncForm sync={sync} obstacle={obstacle ?? obstacleOf(sync.access)} />
      {sync.enabled === false && !obstacle && <ClockForm />}
    </>
  )
}
