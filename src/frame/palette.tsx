// The palette: one field for going to pages, finding objects and running actions. A combobox with a list of options
// (WAI-ARIA Authoring Practices): the focus stays in the field.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { $language, type Translation, t } from '../text/language.ts'
import { useModal } from '../ui/dialog/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { type PaletteOption, type PaletteSection, type ToEnglish, usePaletteSections } from './palette-options.tsx'
import * as FRAME_TEXT from './text.ts'

const TEXT = {
  placeholder: ['Page, name or action', '页面、名称或操作'],
  none: ['Nothing found', '未找到'],
  count: ['{0} options', '{0} 个选项']
} as const

/** Milliseconds without a keystroke after which the hub is asked. */
const DEBOUNCE = 150

/** The text after a pause in typing; at once when it becomes empty. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(setSettled, DEBOUNCE, text)
    return () => clearTimeout(timer)
  }, [text])
  return text && settled
}

/** The English sentences by number, once they are requested. The packs of a page contain one language only. */
let englishPack: Promise<readonly string[]> | undefined

/** Loads the English sentences, by which pages and actions are found in every language. */
function useEnglish(): ToEnglish {
  const [pack, setPack] = useState<readonly string[]>([])
  const isNeeded = useStore($language) !== 'en'
  const { pageLoader } = window
  useEffect(() => {
    if (!pageLoader || !isNeeded) return
    let isMounted = true
    englishPack ??= Promise.all([pageLoader.loadPack('en'), pageLoader.loadLaterPack('en')]).then((packs) =>
      packs.flat()
    )
    englishPack.then(
      (loaded) => isMounted && setPack(loaded),
      // Without them the options are found by the words of the page's language. The next palette tries again.
      () => {
        englishPack = undefined
      }
    )
    return () => {
      isMounted = false
    }
  }, [isNeeded])
  return (pair: Translation) => (typeof pair === 'object' ? pair[0] : (pack[pair] ?? ''))
}

/** Which option is active. It stays when others come and go, and is the first one again when the text changes. */
function useActive(options: readonly PaletteOption[], text: string) {
  const [{ id, forText }, setActive] = useState({ id: '', forText: '' })
  const index = forText === text ? options.findIndex((option) => option.id === id) : -1
  const active = options[Math.max(index, 0)]
  const activate = (option: PaletteOption | undefined) => option && setActive({ id: option.id, forText: text })
  const move = (step: number) => activate(options.at((Math.max(index, 0) + step) % options.length))
  return { active, activate, move }
}

interface OptionListProps {
  sections: readonly PaletteSection[]
  id: string
  /** Gives the id of an option's element. */
  idOf: (option: PaletteOption) => string
  active: PaletteOption | undefined
  onActivate: (option: PaletteOption) => void
  onChoose: (option: PaletteOption) => void
}

function OptionList({ sections, id, idOf, active, onActivate, onChoose }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])
  return (
    <div ref={list} id={id} role="listbox" aria-label={t(FRAME_TEXT.palette)} tabIndex={-1}>
      {sections.map(({ title, options }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
        <div key={title} role="group" aria-label={title}>
          <small className="cut" aria-hidden="true">
            {title}
          </small>
          {options.map((option) => (
            <button
              type="button"
              key={option.id}
              id={idOf(option)}
              role="option"
              // The focus stays in the field, which handles the keys.
              tabIndex={-1}
              aria-selected={option === active}
              aria-disabled={option.isDisabled || undefined}
              onPointerMove={() => option !== active && onActivate(option)}
              onClick={() => onChoose(option)}
            >
              <Icon name={option.icon} />
              <span className="cut">{option.label}</span>
              <small className="cut push">{option.note}</small>
            </button>
          ))}
        </div>
      ))}
    </div>
  )
}

export function Palette({ onClose }: { onClose: () => void }) {
  const modal = useModal(onClose)
  const id = useId()
  const [input, setInput] = useState('')
  const text = input.trim()
  const sections = usePaletteSections(text, useDebounced(text), useEnglish())
  const options = sections.flatMap((section) => section.options)
  const { active, activate, move } = useActive(options, text)
  const idOf = (option: PaletteOption) => `${id}-${options.indexOf(option)}`

  function choose(option: PaletteOption | undefined): void {
    if (!option || option.isDisabled) return
    onClose()
    option.run()
  }

  return (
    // The backdrop is part of the element.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, too
    <dialog
      {...modal}
      className="palette"
      aria-label={t(FRAME_TEXT.palette)}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className="body">
        <input
          type="text"
          role="combobox"
          aria-label={t(FRAME_TEXT.palette)}
          aria-expanded={active !== undefined}
          aria-autocomplete="list"
          aria-controls={active && id}
          aria-activedescendant={active && idOf(active)}
          placeholder={t(TEXT.placeholder)}
          autoComplete="off"
          value={input}
          data-autofocus=""
          onInput={(event) => setInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (!step && event.key !== 'Enter') return
            event.preventDefault()
            if (step) move(step)
            else choose(active)
          }}
        />
        {active && (
          <OptionList sections={sections} id={id} idOf={idOf} active={active} onActivate={activate} onChoose={choose} />
        )}
        <p role="status" className={options.length ? 'unseen' : 'muted'}>
          {options.length ? t(TEXT.count, options.length) : t(TEXT.none)}
        </p>
      </div>
    </dialog>
  )
}
