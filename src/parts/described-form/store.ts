// The descriptions of forms, and the values that they show. Each store is made once, when its page is opened first.
import { atom } from 'nanostores'
import type { ResponseOf } from '../../../contract/call.ts'
import { describeForms, type FormCard } from '../../../contract/form/form.ts'
import { createLiveStore } from '../../state/live-store.ts'
import { createLiveValue } from '../../state/live-value.ts'

/** Makes a function that creates a value once for each key. */
function oncePerKey<Value>(create: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>()
  return (key) => {
    const value = values.get(key) ?? create(key)
    values.set(key, value)
    return value
  }
}

type Description = Partial<ResponseOf<typeof describeForms>>

/** The description of a page; of all pages their labels, if the name is empty. */
export const descriptionOf = oncePerKey((name) =>
  createLiveStore<object, ResponseOf<typeof describeForms>, Description>(
    { call: describeForms, request: atom(name ? { name } : {}), pace: 'slowest' },
    { initial: {}, reduce: (previous, { partial, ...description }) => (partial ? previous : description) }
  )
)

/** The responses with the values of cards, by path. */
export const valuesOf = ({ read, topic }: Pick<FormCard, 'read' | 'topic'>) => valueStore(`${read} ${topic}`)

const valueStore = oncePerKey((key) => {
  const [path = '', topic] = key.split(' ')
  return createLiveValue<object, object>({
    call: { method: 'GET', path, access: 'session' },
    pace: 'slow',
    topic: topic as FormCard['topic']
  })
})
