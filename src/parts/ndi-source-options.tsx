// The NDI sources of the network that a name is chosen from.
import { $foundNdi } from '../state/sources.ts'
import { useStore } from '../ui/use-store.ts'

/** The list that a field names to propose them. */
export const FOUND_NDI = 'found-ndi'

/** They are looked for while this is shown. Says why none can be found where the hub has no NDI runtime. */
export function FoundNdi() {
  const { items, reply } = useStore($foundNdi)
  const { reason, 'next-step': step } = reply?.runtime ?? {}
  return (
    <>
      <datalist id={FOUND_NDI}>
        {items.map(({ name, addr }) => (
          <option key={name} value={name}>
            {addr}
          </option>
        ))}
      </datalist>
      {reason && (
        <div className="muted">
          <p>{reason}</p>
          <p>{step}</p>
        </div>
      )}
    </>
  )
}
