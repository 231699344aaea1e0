// How described cards are declared: with sentences in English and Chinese, beside the calls that they read and make.
// Types, ranges and enumerations are not declared again: they come from the schema of the call that saves the field.
import type * as z from 'zod'
import type { Access, Call } from '../call.ts'
import type { Topic } from '../change-feed.ts'
import type { Translation } from '../text/language.ts'
import type { FormButton, FormCondition, FormFact, FormField, FormList, FormText } from './form.schema.ts'

type Conditions = { when?: readonly FormCondition[] }

/** A sentence, or one of the response. */
export interface DeclaredText extends Conditions, Pick<FormText, 'as' | 'value'> {
  text?: Translation
}

export interface DeclaredFact extends Conditions, Pick<FormFact, 'value' | 'as' | 'unit' | 'each' | 'words' | 'since'> {
  fact: Translation
  states?: Readonly<
    Record<string, readonly [tone: NonNullable<FormFact['states']>[string]['tone'], text?: Translation]>
  >
}

export interface DeclaredField extends Conditions, Pick<FormField, 'from' | 'default' | 'required'> {
  /** Path of the field in the request of the call that saves the card. */
  field: string
  /** The control, if the schema of the field does not say it. */
  as?: 'secret' | 'lines' | 'list' | 'address' | 'checkbox' | 'consent' | 'choices' | 'select' | 'number'
  /** Schema of the object that the path begins with, if the schema of the call does not describe that object. */
  within?: z.ZodType
  /** The call whose rows are the options, and the paths of their values and labels. */
  choices?: { call: Call; topic: Topic; at: string; value: string; label: string }
  label: Translation
  /** Default: the range of a number. */
  hint?: Translation
  unit?: Translation
  stored?: { of: string; hint: Translation }
  /** Labels of the values, in their order. Default: the values of the schema. */
  options?: Readonly<Record<string, Translation>>
}

export interface DeclaredButton extends Conditions, Pick<FormButton, 'fields' | 'request' | 'danger' | 'subscribe'> {
  button: Translation
  call: Call
  success?: Translation
  confirm?: Translation
}

/** A form in a dialog. Its conditions and stored values are paths in the row that it edits. */
export interface DeclaredDialog {
  button: Translation
  call: Call
  success: Translation
  parts: readonly (DeclaredField | DeclaredText)[]
}

/** Rows of the response, with their facts, buttons and dialogs. */
export interface DeclaredList extends Conditions, Pick<FormList, 'list' | 'name'> {
  empty: Translation
  facts: readonly DeclaredFact[]
  add?: DeclaredDialog
  edit?: DeclaredDialog
  buttons: readonly DeclaredButton[]
}

export type DeclaredPart = DeclaredText | DeclaredFact | DeclaredField | DeclaredButton | DeclaredList

export interface DeclaredCard {
  /** Names the card in links. Unique on its page. */
  name: string
  title: Translation
  read: Call
  topic: Topic
  at?: string
  save?: {
    call: Call
    /** Default: that of the call. */
    access?: Access
    confirm?: Conditions & { text: Translation; label: Translation }
  }
  parts?: readonly DeclaredPart[]
  obstacle?: string
  /** Labels that the search of the settings finds besides those of the fields. */
  find?: readonly Translation[]
}

export interface DeclaredPage {
  /** Tab of the page, if it has tabs. */
  tab?: string
  cards: readonly DeclaredCard[]
}
