// Store and mutations of the NDI router.
import type { Envelope } from '../../../contract/call.ts'
import { NAME_EXISTS, SUCCESS } from '../../../contract/codes.ts'
import {
  addMatrix,
  addSalvo,
  deleteMatrix,
  deleteSalvo,
  deleteScheduledTake,
  listMatrices,
  lockDestination,
  type Matrix,
  type MatrixDestination,
  type MatrixFields,
  type PanelSettings,
  type Salvo,
  type SalvoFields,
  type ScheduledTake,
  setMatrix,
  setSalvo,
  type Take,
  takeRoutes,
  takeSalvo,
  undoTake
} from '../../../contract/ndi/router.ts'
import { send } from '../../link/send.ts'
import { createLiveList } from '../../state/live-list.ts'
import { type FailureOptions, mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './take-text.ts'

export const $matrices = createLiveList({
  call: listMatrices,
  pace: 'slower',
  topic: 'ndi',
  // Operators at several consoles switch the same matrix.
  changePace: 'fastest'
})

/** Field of a form by result code. */
export const NAME_TAKEN = { [NAME_EXISTS]: 'name' } as const

export const createMatrix = (fields: MatrixFields, options: FailureOptions): Promise<Envelope & { id: number }> =>
  sendMutation(addMatrix, fields, { ...options, success: { text: OUTCOME.added, names: [fields.name] } })

export const saveMatrix = (
  { id, name }: Matrix,
  fields: Partial<MatrixFields> & { panel?: PanelSettings },
  options: FailureOptions
): Promise<Envelope> =>
  sendMutation(setMatrix, { id, ...fields }, { ...options, success: { text: OUTCOME.saved, names: [name] } })

/** @returns whether the matrix was deleted */
export const removeMatrix = ({ id, name }: Matrix): Promise<boolean> =>
  succeeded(sendMutation(deleteMatrix, { id }, { success: { text: OUTCOME.deleted, names: [name] } }))

/** Sends a take. A success needs no message, because the matrix shows it. */
const sendTake = (attempt: string, makeCall: () => Promise<Envelope>): Promise<Envelope> =>
  mutate(makeCall, {
    attempt,
    isShownElsewhere: ({ result }) => result === SUCCESS,
    success: { text: TEXT.taken }
  })

export const sendTakes = ({ id, revision }: Matrix, takes: readonly Take[], override: boolean): Promise<Envelope> =>
  sendTake(`take ${id}`, () => send(takeRoutes, { id, revision, takes: [...takes], override }))

export const sendSalvo = ({ id, revision }: Matrix, salvo: Salvo, override: boolean): Promise<Envelope> =>
  sendTake(`salvo ${id}`, () => send(takeSalvo, { id, revision, salvo: salvo.id, override }))

/** Undoes the take that `matrix` shows as the last one. */
export const sendUndo = ({ id, undo }: Matrix, override: boolean): Promise<Envelope> =>
  sendTake(`undo ${id}`, () => send(undoTake, { id, take: undo?.take, override }))

export const sendLock = (
  { id, revision }: Matrix,
  { index }: MatrixDestination,
  locked: boolean,
  override: boolean
): Promise<Envelope> =>
  sendTake(`lock ${id}`, () => send(lockDestination, { id, revision, destination: index, locked, override }))

export const scheduleTakes = (
  { id, revision }: Matrix,
  { name, at, takes }: Pick<ScheduledTake, 'name' | 'at' | 'takes'>,
  options: FailureOptions
): Promise<Envelope> =>
  sendMutation(
    takeRoutes,
    { id, revision, takes, at, name },
    { ...options, success: { text: OUTCOME.added, names: [name] } }
  )

export const removeScheduled = ({ id }: Matrix, { id: scheduled, name }: ScheduledTake): Promise<Envelope> =>
  sendMutation(deleteScheduledTake, { id, scheduled }, { success: { text: OUTCOME.deleted, names: [name] } })

/** Adds a salvo, or changes the one with this id. */
export const saveSalvo = (
  { id }: Matrix,
  salvo: number | undefined,
  fields: SalvoFields,
  options: FailureOptions
): Promise<Envelope> => {
  const success = { text: OUTCOME.saved, names: [fields.name] }
  return salvo === undefined
    ? sendMutation(addSalvo, { id, ...fields }, { ...options, success })
    : sendMutation(setSalvo, { id, salvo, ...fields }, { ...options, success })
}

export const removeSalvo = ({ id }: Matrix, { id: salvo, name }: Salvo): Promise<Envelope> =>
  sendMutation(deleteSalvo, { id, salvo }, { success: { text: OUTCOME.deleted, names: [name] } })
