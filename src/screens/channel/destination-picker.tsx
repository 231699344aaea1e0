// A tile for each destination of an output. Choosing one fills the form of the output.
import { type ReactNode, useEffect, useRef } from 'react'
import { proposePort } from '../../../contract/stream/source.ts'
import type { Form } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { KeyPageLink } from '../../parts/source/preset-field.tsx'
import type { SourceValues } from '../../parts/source/source-form.ts'
import { $presets } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { type Destination, destinationValues } from './destination.ts'
import { TEXT } from './dialog-text.ts'

interface DestinationPickerProps {
  form: Form<SourceValues>
  destinations: readonly Destination[]
  /** The fields of the chosen destination. */
  children: ReactNode
}

export function DestinationPicker({ form, destinations, children }: DestinationPickerProps) {
  const { values, setValues } = form
  const { destination = '' } = values
  const proposed = useRef('')
  useEffect(() => {
    void send(proposePort, {}).then(({ port = 0 }) => {
      proposed.current = port ? String(port) : ''
      setValues({ 'bind-port': proposed.current })
    })
  }, [])
  const choose = (id: string) =>
    setValues({ ...destinationValues(id, $presets.get().items), 'bind-port': proposed.current })
  return (
    <section className="flow">
      <h3>{t(TEXT.destination)}</h3>
      <SegmentedControl
        wraps
        label={t(TEXT.destination)}
        value={destination}
        options={destinations.map(({ id, icon, label }) => ({
          value: id,
          icon,
          label: typeof label === 'string' ? label : t(label)
        }))}
        onChange={choose}
      />
      <KeyPageLink preset={destination} />
      {children}
    </section>
  )
}
