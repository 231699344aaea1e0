// The sources of a matrix in a form: added from those in the network, or by name.
import { MATRIX_SIDE_MAX } from '../../../contract/limits.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { $ndiSources } from '../../state/sources.ts'
import { faultText } from '../../text/faults.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { type MatrixValues, sourceFault } from './matrix-form.ts'

type Sources = MatrixValues['sources']

export function SourcesField({ name, value, error, onValueChange }: FieldBinding<Sources>) {
  const replace = (position: number, ...next: Sources) => onValueChange(value.toSpliced(position, 1, ...next))
  const swap = (position: number, other: number) => {
    const next = [...value]
    const [first, second] = [next[position], next[other]]
    if (!first || !second) return
    next[position] = second
    next[other] = first
    onValueChange(next)
  }
  const room = MATRIX_SIDE_MAX - value.length
  const add = (names: readonly string[]) =>
    onValueChange([...value, ...names.slice(0, room).map((added) => ({ name: added, label: '' }))])
  return (
    <fieldset className="field">
      <legend>{t(TEXT.sources)}</legend>
      {value.map((source, position) => {
        const number = t(TEXT.sourceNumber, position + 1)
        const fault = error ? sourceFault(source, position, value) : undefined
        return (
          <fieldset key={position} className="slot source-slot" aria-label={number}>
            <TextField
              name={`${name}.${position}.name`}
              label={`${position + 1} · ${t(TEXT.ndiName)}`}
              placeholder={t(TEXT.ndiNameHint)}
              value={source.name}
              error={fault && faultText(fault)}
              onValueChange={(next) => replace(position, { ...source, name: next })}
            />
            <TextField
              name={`${name}.${position}.label`}
              label={t(TEXT.label)}
              value={source.label}
              onValueChange={(next) => replace(position, { ...source, label: next })}
            />
            <span className="row">
              <Button
                iconOnly
                icon="up"
                label={t(TEXT.moveUp, number)}
                disabled={position === 0}
                onClick={() => swap(position, position - 1)}
              />
              <Button
                iconOnly
                icon="down"
                label={t(TEXT.moveDown, number)}
                disabled={position === value.length - 1}
                onClick={() => swap(position, position + 1)}
              />
              <Button iconOnly icon="delete" label={t(TEXT.removeItem, number)} onClick={() => replace(position)} />
            </span>
          </fieldset>
        )
      })}
      {room > 0 && <FoundSources used={value} onAdd={add} />}
      <FieldMessage id={name} error={error} hint={value.length > 0 ? t(TEXT.removeHint) : undefined} />
    </fieldset>
  )
}

/** The sources that the hub has found and that are not in the matrix. */
function FoundSources({ used, onAdd }: { used: Sources; onAdd: (names: readonly string[]) => void }) {
  const { items, response } = useStore($ndiSources)
  const names = new Set(used.map(({ name }) => name))
  const found = items.map(({ name }) => name).filter((name) => !names.has(name))
  const { reason, 'next-step': step } = response?.runtime ?? {}
  return (
    <div className="stack">
      <strong>{t(TEXT.foundSources)}</strong>
      {reason && (
        <p className="muted">
          {reason} {step}
        </p>
      )}
      {found.length === 0 && !reason && <p className="muted">{t(TEXT.noneFound)}</p>}
      {found.length > 0 && (
        <ul className="row">
          {found.map((name) => (
            <li key={name}>
              <Button icon="plus" label={name} onClick={() => onAdd([name])} />
            </li>
          ))}
        </ul>
      )}
      <span className="row">
        {found.length > 1 && <Button label={t(TEXT.addAllFound)} onClick={() => onAdd(found)} />}
        <Button icon="plus" label={t(TEXT.addByName)} onClick={() => onAdd([''])} />
      </span>
    </div>
  )
}
