// Described forms: cards with settings, their states and their buttons, which the hub describes and the console shows
// without knowing them (docs/architecture/described-forms.md). Only hub and tools import the declarations, so that a
// card costs the console no bytes.
import { declareCall } from '../call.ts'

export type {
  FormButton,
  FormCard,
  FormCondition,
  FormDialog,
  FormEntry,
  FormFact,
  FormField,
  FormList,
  FormPart,
  FormText
} from './form.schema.ts'

/** Pages with described cards: routes of the console. */
export const FORM_PAGES = ['logs', 'ndiSettings', 'backup', 'general', 'notifications'] as const

export const describeForms = declareCall('GET /form', 'session')
