// A list of routes in a form: for each a destination and the source that it gets.
import type { Matrix, Take } from '../../../contract/ndi/router.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { numberedLabel } from './describe.ts'
import { TEXT } from './dialog-text.ts'
import { TEXT as TAKE_TEXT } from './take-text.ts'
import { TEXT as ROUTER_TEXT } from './text.ts'

interface TakesFieldProps extends FieldBinding<readonly Take[]> {
  matrix: Matrix
}

export function TakesField({ matrix, name, value, error, onValueChange }: TakesFieldProps) {
  const used = new Set(value.map(({ destination }) => destination))
  const free = matrix.destinations.find(({ index }) => !used.has(index))
  const replace = (position: number, ...next: Take[]) => onValueChange(value.toSpliced(position, 1, ...next))
  const sources = [
    { value: '0', label: t(ROUTER_TEXT.noSource) },
    ...matrix.sources.map((source) => ({ value: String(source.index), label: numberedLabel(source) }))
  ]
  return (
    <fieldset className="field">
      <legend>{t(TEXT.routes)}</legend>
      {value.map((take, position) => (
        <div key={position} className="slot">
          <SelectField
            name={`${name}.${position}.destination`}
            label={t(TAKE_TEXT.destination)}
            value={String(take.destination)}
            options={matrix.destinations
              .filter(({ index }) => index === take.destination || !used.has(index))
              .map((destination) => ({ value: String(destination.index), label: numberedLabel(destination) }))}
            onValueChange={(next) => replace(position, { ...take, destination: Number(next) })}
          />
          <SelectField
            name={`${name}.${position}.source`}
            label={t(TEXT.source)}
            value={String(take.source)}
            options={sources}
            onValueChange={(next) => replace(position, { ...take, source: Number(next) })}
          />
          <Button iconOnly icon="delete" label={t(TEXT.removeRoute)} onClick={() => replace(position)} />
        </div>
      ))}
      {free && (
        <Button
          icon="plus"
          label={t(TEXT.addRoute)}
          onClick={() => onValueChange([...value, { destination: free.index, source: free.source }])}
        />
      )}
      <FieldMessage id={name} error={error} />
    </fieldset>
  )
}
