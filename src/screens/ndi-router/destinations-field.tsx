// The destinations of a matrix in a form. Only the last one can be removed, because a destination keeps its number.
import { MATRIX_SIDE_MAX } from '../../../contract/limits.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { faultText } from '../../text/faults.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { TEXT } from './dialog-text.ts'
import { destinationFault, type MatrixValues } from './matrix-form.ts'

type Destinations = MatrixValues['destinations']

/** Destinations that the second button adds at once. */
const MANY = 8

interface DestinationsFieldProps extends FieldBinding<Destinations> {
  /** Base name of the destinations. */
  machine: string
}

export function DestinationsField({ name, value, error, onValueChange, machine }: DestinationsFieldProps) {
  const room = MATRIX_SIDE_MAX - value.length
  const add = (count: number) =>
    onValueChange([...value, ...Array.from({ length: Math.min(count, room) }, () => ({ label: '' }))])
  return (
    <fieldset className="field">
      <legend>{t(TEXT.destinations)}</legend>
      {value.map((destination, position) => {
        const number = t(TEXT.destinationNumber, position + 1)
        const fault = error ? destinationFault(destination) : undefined
        return (
          <div key={position} className="slot destination-slot">
            <TextField
              name={`${name}.${position}.label`}
              label={`${number} · ${t(TEXT.label)}`}
              placeholder={`${machine} ${position + 1}`.trim()}
              value={destination.label}
              error={fault && faultText(fault)}
              onValueChange={(label) => onValueChange(value.with(position, { label }))}
            />
            {position > 0 && position === value.length - 1 && (
              <Button
                iconOnly
                icon="delete"
                label={t(TEXT.removeItem, number)}
                onClick={() => onValueChange(value.slice(0, -1))}
              />
            )}
          </div>
        )
      })}
      {room > 0 && (
        <span className="row">
          <Button icon="plus" label={t(TEXT.addDestination)} onClick={() => add(1)} />
          {room >= MANY && <Button icon="plus" label={t(TEXT.addDestinations, MANY)} onClick={() => add(MANY)} />}
        </span>
      )}
      <FieldMessage id={name} error={error} />
    </fieldset>
  )
}
