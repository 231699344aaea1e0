// Saved views of a list: a menu that opens them, saves the present one, and changes the one that is open.
import { atom } from 'nanostores'
import { useState } from 'react'
import {
  addView,
  deleteView,
  listViews,
  type SavedView,
  setView,
  type ViewList
} from '../../contract/access/saved-view.ts'
import { labelName } from '../../contract/rules/label.ts'
import { ROUTES, type RouteName } from '../paths.ts'
import { createLiveList } from '../state/live-list.ts'
import { navigate, useQuery } from '../state/location.ts'
import { type FailureOptions, sendMutation } from '../state/mutations.ts'
import { $isAllowed } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import * as OUTCOME from '../text/outcomes.ts'
import { MenuButton, type MenuItem } from '../ui/menu-button.tsx'
import { useStore } from '../ui/use-store.ts'
import { verbText } from './actions.tsx'
import { openNameDialog } from './device/device-dialogs.tsx'

const TEXT = {
  views: ['Views', '视图'],
  save: ['Save view', '保存视图'],
  replace: ['Replace {0} with the present view', '用当前视图替换 {0}'],
  rename: ['Rename {0}', '重命名 {0}'],
  remove: ['Delete {0}', '删除 {0}']
} as const satisfies Record<string, Translation>

const VIEW_ROUTES: Readonly<Record<ViewList, RouteName>> = {
  channels: 'channels',
  devices: 'allDevices',
  'device-warnings': 'warningDevices',
  'device-favorites': 'favoriteDevices'
}

const $views = createLiveList({
  call: listViews,
  request: atom({}),
  pace: 'slowest',
  topic: 'view',
  keyOf: ({ id }: SavedView) => id
})

const isDeviceList = (list: ViewList) => list !== 'channels'

const add = ({ list, query }: Omit<SavedView, 'id' | 'name'>, name: string, options?: FailureOptions) =>
  sendMutation(addView, { list, name, query }, { ...options, success: { text: OUTCOME.saved, names: [name] } })

/** Saves another name or query. The message undoes it. */
function change(view: SavedView, { name, query }: SavedView, options?: FailureOptions) {
  const undo = () => change({ ...view, name, query }, view)
  return sendMutation(
    setView,
    { id: view.id, name, query },
    { ...options, success: { text: OUTCOME.saved, names: [name], undo } }
  )
}

const remove = (view: SavedView) =>
  sendMutation(
    deleteView,
    { id: view.id },
    { success: { text: OUTCOME.deleted, names: [view.name], undo: () => add(view, view.name) } }
  )

/** The query of the page, complete and in one order. */
function usePresentQuery(display: string): string {
  const query = new URLSearchParams(useQuery())
  query.delete('search-navigation')
  query.set('view', display)
  query.sort()
  return String(query)
}

interface SavedViewsProps {
  list: ViewList
  /** Whether the list is a table, a compact one, or tiles: the browser may remember it. */
  display: string
}

export function SavedViews({ list, display }: SavedViewsProps) {
  return useStore($isAllowed)(listViews) && <ViewMenu list={list} display={display} />
}

function ViewMenu({ list, display }: SavedViewsProps) {
  const views = useStore($views).items.filter((view) => isDeviceList(view.list) === isDeviceList(list))
  const query = usePresentQuery(display)
  // The view that was opened last stays the one to change when its filters have changed.
  const [opened, setOpened] = useState(0)
  const isPresent = (view: SavedView) => view.list === list && view.query === query
  const current = views.find(isPresent) ?? views.find((view) => view.id === opened && view.list === list)
  const items: MenuItem[] = views.map((view) => ({
    label: view.name,
    checked: isPresent(view),
    onSelect() {
      setOpened(view.id)
      navigate(`${ROUTES[VIEW_ROUTES[view.list]]}?${view.query}`)
    }
  }))
  items.push({
    label: t(TEXT.save),
    icon: 'plus',
    onSelect: () =>
      void openNameDialog({
        title: t(TEXT.save),
        rule: labelName,
        save: (name, options) => add({ list, query }, name, options)
      })
  })
  if (current) {
    const { name } = current
    if (!isPresent(current))
      items.push({
        label: t(TEXT.replace, name),
        icon: 'check',
        onSelect: () => void change(current, { ...current, query })
      })
    items.push(
      {
        label: t(TEXT.rename, name),
        icon: 'edit',
        onSelect: () =>
          void openNameDialog({
            title: t(TEXT.rename, name),
            name,
            rule: labelName,
            save: (newName, options) => change(current, { ...current, name: newName }, options)
          })
      },
      { label: verbText(TEXT.remove, name), icon: 'delete', danger: true, onSelect: () => void remove(current) }
    )
  }
  return <MenuButton label={t(TEXT.views)} icon="star" items={items} />
}
