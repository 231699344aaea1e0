// Refusals of the services of the machine as responses.
import { READ_ONLY } from '../../../contract/codes.ts'
import { CallError } from '../../http/handler.ts'
import { MachineError } from '../../machine/machine-error.ts'
import { BusError } from '../../machine/system-bus.ts'
import type { Language } from '../../messages/language.ts'
import { busErrorText, refusalText } from '../../messages/machine.ts'

/** Runs an operation of the machine; its refusal becomes the response. */
export async function refuseWith<T>(language: Language, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof MachineError) {
      const { refusal, about, ...fields } = error.fields
      const message = refusalText(language, refusal, about)
      throw new CallError(error.code, { ...fields, ...(message && { message }) })
    }
    if (error instanceof BusError) throw new CallError(READ_ONLY, { message: busErrorText(language, error) })
    throw error
  }
}
