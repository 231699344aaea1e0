// Adds or changes a matrix: its name, sources and destinations.
import { useState } from 'react'
import type { DestinationFields, Matrix, MatrixFields, SourceFields } from '../../../contract/ndi/router.ts'
import { matrixBaseName, matrixLabel } from '../../../contract/rules/matrix.ts'
import type { Fault, RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { ndiMachineName, useNdiMachineName } from '../../parts/source/ndi-status.ts'
import { linkTo } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { DestinationsField } from './destinations-field.tsx'
import { TEXT } from './dialog-text.ts'
import { destinationFault, type MatrixValues, NEW_DESTINATIONS, sourceFault } from './matrix-form.ts'
import { SourcesField } from './sources-field.tsx'
import { $matrices, createMatrix, NAME_TAKEN, saveMatrix } from './store.ts'

const firstFault = (faults: readonly (Fault | undefined)[]) => faults.find((fault) => fault !== undefined)

const RULES: RuleSet<MatrixValues> = {
  name: matrixLabel,
  machine: (value) => matrixBaseName(ndiMachineName())(value),
  sources: (sources) => firstFault(sources.map(sourceFault)),
  destinations: (destinations) =>
    destinations.length === 0 ? { name: 'required' } : firstFault(destinations.map(destinationFault))
}

function valuesOf(matrix: Matrix | undefined): MatrixValues {
  if (!matrix)
    return {
      name: '',
      machine: '',
      sources: [],
      destinations: Array.from({ length: NEW_DESTINATIONS }, () => ({ label: '' }))
    }
  const { name, machine, sources, destinations } = matrix
  return {
    name,
    machine,
    sources: sources.map((source) => ({ name: source.name, label: source.label })),
    destinations: destinations.map(({ label }) => ({ label }))
  }
}

const withoutEmptyLabel = <Item extends { label: string }>({ label, ...rest }: Item) =>
  label ? { ...rest, label } : rest

/** The fields whose values the user has changed: the others keep what other users have saved meanwhile. */
function changedFields(fields: MatrixFields, initial: MatrixValues, values: MatrixValues): Partial<MatrixFields> {
  const names = Object.keys(values) as (keyof MatrixValues)[]
  const changed = names.filter((name) => JSON.stringify(values[name]) !== JSON.stringify(initial[name]))
  return Object.fromEntries(changed.map((name) => [name, fields[name]]))
}

interface MatrixDialogProps {
  /** Changes this matrix. Without an id, adds one and opens it. */
  matrixId?: number
  onClose: (completed?: boolean) => void
}

export function MatrixDialog({ matrixId, onClose }: MatrixDialogProps) {
  useNdiMachineName()
  const matrix = $matrices.get().items.find(({ id }) => id === matrixId)
  const [initial] = useState(() => valuesOf(matrix))
  const form = useForm<MatrixValues>(
    RULES,
    initial,
    async (values, options) => {
      const { sources, destinations } = values
      const fields: MatrixFields = {
        ...values,
        sources: sources.map(withoutEmptyLabel) as SourceFields[],
        destinations: destinations.map(withoutEmptyLabel) as DestinationFields[]
      }
      if (matrix) return saveMatrix(matrix, changedFields(fields, initial, values), options)
      const response = await createMatrix(fields, options)
      if (response.id) navigate(linkTo('ndiMatrix', { matrixId: String(response.id) }))
      return response
    },
    { onSuccess: () => onClose(true), fieldOfCode: NAME_TAKEN }
  )
  const title = matrix ? t(TEXT.edit, matrix.name) : t(TEXT.add)
  return (
    <FormDialog form={form} title={title} submitLabel={matrix ? undefined : title} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      <TextField
        {...form.field('machine')}
        label={t(TEXT.base)}
        hint={t(TEXT.baseHint, form.values.machine || form.values.name || '…')}
      />
      <SourcesField {...form.field('sources')} />
      <DestinationsField {...form.field('destinations')} machine={form.values.machine} />
    </FormDialog>
  )
}
