// NDI sources that the hub has discovered, as suggestions for the field of the NDI name.
import { $ndiSources } from '../../state/sources.ts'
import { useStore } from '../../ui/use-store.ts'

/** Id of the `datalist` element. */
export const NDI_SOURCES_ID = 'found-ndi'

/**
 * The hub discovers NDI sources while this component is shown. Without an NDI runtime on the hub, shows the reason and
 * the next step.
 */
export function NdiSourceOptions() {
  const { items, response: reply } = useStore($ndiSources)
  const { reason, 'next-step': step } = reply?.runtime ?? {}
  return (
    <>
      <datalist id={NDI_SOURCES_ID}>
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
