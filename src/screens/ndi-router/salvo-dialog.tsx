// Salvos: stored lists of routes that are taken together.
import {
  addSalvo,
  deleteSalvo,
  SALVOS_MAX,
  type Salvo,
  type SalvoFields,
  setSalvo,
  takeSalvo
} from '../../../contract/ndi/router.ts'
import { matrixLabel } from '../../../contract/rules/matrix.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { CallButton } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { TEXT } from './dialog-text.ts'
import { type MatrixDialogProps, MatrixListDialog } from './matrix-list-dialog.tsx'
import { NAME_TAKEN, removeSalvo, saveSalvo, sendSalvo } from './store.ts'
import { TakeDialog } from './take-dialog.tsx'
import { TEXT as TAKE_TEXT } from './take-text.ts'
import { TakesField } from './takes-field.tsx'
import { TEXT as ROUTER_TEXT } from './text.ts'
import { useDialogMatrix, useStructureChange, useTakeObstacle } from './use-matrix.ts'

/** Shows the changes that a salvo makes, and takes it after a confirmation. */
export const openSalvo = (matrixId: number, salvo: Salvo): Promise<boolean> =>
  openDialog(TakeDialog, {
    matrixId,
    title: salvo.name,
    confirmLabel: t(TAKE_TEXT.takeCount, salvo.takes.length),
    takesOf: ({ salvos }) => salvos.find(({ id }) => id === salvo.id)?.takes ?? [],
    send: (matrix, override) => sendSalvo(matrix, salvo, override)
  })

/** All salvos of a matrix, with their actions. */
export function SalvosDialog({ matrixId, onClose }: MatrixDialogProps) {
  const matrix = useDialogMatrix(matrixId, onClose)
  const obstacle = useTakeObstacle()
  if (!matrix) return null
  const { salvos } = matrix
  const remove = async (salvo: Salvo) => {
    const label = t(TEXT.removeSalvo, salvo.name)
    const question = { title: t(ROUTER_TEXT.removeQuestion, salvo.name), text: t(TEXT.removeSalvoText) }
    if (await confirm({ ...question, confirmLabel: label, danger: true })) await removeSalvo(matrix, salvo)
  }
  const openForm = () => openDialog(SalvoDialog, { matrixId, initial: { name: '', takes: [] } })
  return (
    <MatrixListDialog
      title={t(ROUTER_TEXT.salvos)}
      add={{ call: addSalvo, label: t(TEXT.addSalvo), onClick: openForm }}
      count={salvos.length}
      max={SALVOS_MAX}
      emptyText={t(TEXT.noSalvos)}
      maxText={t(TEXT.salvosMax, SALVOS_MAX)}
      onClose={onClose}
    >
      <ul className="lines">
        {salvos.map((salvo) => (
          <li key={salvo.id}>
            <span className="cut">{salvo.name}</span>
            <small>{t(TEXT.routeCount, salvo.takes.length)}</small>
            <span className="push row">
              <CallButton
                call={takeSalvo}
                label={t(TEXT.takeSalvo)}
                disabledReason={obstacle}
                onClick={() => openSalvo(matrixId, salvo)}
              />
              <CallButton
                call={setSalvo}
                iconOnly
                icon="edit"
                label={t(TEXT.editSalvo, salvo.name)}
                onClick={() => openDialog(SalvoDialog, { matrixId, id: salvo.id, initial: salvo })}
              />
              <CallButton
                call={deleteSalvo}
                iconOnly
                icon="delete"
                label={t(TEXT.removeSalvo, salvo.name)}
                onClick={() => remove(salvo)}
              />
            </span>
          </li>
        ))}
      </ul>
    </MatrixListDialog>
  )
}

const RULES: RuleSet<SalvoFields> = {
  name: matrixLabel,
  takes: ({ length }) => (length === 0 ? { name: 'required' } : undefined)
}

interface SalvoDialogProps extends MatrixDialogProps {
  /** Changes this salvo. Without an id, adds one. */
  id?: number
  initial: SalvoFields
}

/** Adds or changes a salvo. */
export function SalvoDialog({ matrixId, id, initial, onClose }: SalvoDialogProps) {
  const matrix = useDialogMatrix(matrixId, onClose)
  const form = useForm<SalvoFields>(
    RULES,
    { name: initial.name, takes: initial.takes },
    async (fields, options) => matrix && saveSalvo(matrix, id, fields, options),
    { onSuccess: () => onClose(true), fieldOfCode: NAME_TAKEN }
  )
  // The hub has changed the routes of a stored salvo likewise.
  useStructureChange(matrix, () =>
    form.setValues({ takes: matrix?.salvos.find((salvo) => salvo.id === id)?.takes ?? [] })
  )
  if (!matrix) return null
  const title = id === undefined ? t(TEXT.addSalvo) : t(TEXT.editSalvo, initial.name)
  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      <TakesField
        {...form.field('takes')}
        matrix={matrix}
        onValueChange={(takes) => form.setValues({ takes: [...takes] })}
      />
    </FormDialog>
  )
}
