// The controls above the matrix.
import { listLog } from '../../../contract/log.ts'
import { addMatrix, addSalvo, deleteMatrix, type Matrix, setMatrix, undoTake } from '../../../contract/ndi/router.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { CallButton } from '../../parts/actions.tsx'
import { linkTo } from '../../paths.ts'
import { navigate, setQuery, useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { MenuButton, type MenuItem } from '../../ui/menu-button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $armsFirst, $showsPictures } from './armed.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { MatrixDialog } from './matrix-dialog.tsx'
import { PanelSettingsDialog } from './panel-dialog.tsx'
import { SalvosDialog } from './salvo-dialog.tsx'
import { SchedulesDialog } from './schedule-dialog.tsx'
import { $matrices, removeMatrix } from './store.ts'
import { TakeLogDialog } from './take-log-dialog.tsx'
import { TEXT } from './text.ts'
import { openUndoDialog } from './undo-dialog.ts'

interface ToolbarProps {
  matrix: Matrix
  /** Why nothing can be switched. */
  obstacle: string | undefined
  isSmall: boolean
}

/** The choice of the matrix, if there are several. */
function MatrixSelect({ matrix }: { matrix: Matrix }) {
  const { items } = useStore($matrices)
  if (items.length < 2) return null
  return (
    <select
      aria-label={t(TEXT.matrix)}
      value={String(matrix.id)}
      onChange={({ currentTarget: { value } }) => navigate(linkTo('ndiMatrix', { matrixId: value }))}
    >
      {items.map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** The actions that are needed rarely. */
function useMenuItems({ matrix, isSmall }: ToolbarProps): MenuItem[] {
  const isAllowed = useStore($isAllowed)
  const matrixId = matrix.id
  return [
    isAllowed(setMatrix) && {
      label: t(TEXT.editMatrix),
      icon: 'edit' as const,
      onSelect: () => void openDialog(MatrixDialog, { matrixId })
    },
    {
      label: t(TEXT.panels),
      icon: 'port' as const,
      onSelect: () => void openDialog(PanelSettingsDialog, { matrixId })
    },
    isAllowed(addMatrix) && {
      label: t(TEXT.addMatrix),
      icon: 'plus' as const,
      onSelect: () => void openDialog(MatrixDialog, {})
    },
    isAllowed(listLog) && {
      label: t(TEXT.takeLog),
      icon: 'list' as const,
      onSelect: () => void openDialog(TakeLogDialog, { matrixId })
    },
    !isSmall && {
      label: t(TEXT.keys),
      icon: 'key' as const,
      onSelect: () => void openDialog(KeysDialog)
    },
    isAllowed(deleteMatrix) && {
      label: t(TEXT.removeMatrix),
      icon: 'delete' as const,
      danger: true,
      onSelect: () => void confirmRemoval(matrix)
    }
  ].filter((item) => item !== false)
}

export function Toolbar(props: ToolbarProps) {
  const { matrix, obstacle, isSmall } = props
  const query = useQuery()
  const text = query.get('key') ?? ''
  const armsFirst = useStore($armsFirst)
  const showsPictures = useStore($showsPictures)
  const isAllowed = useStore($isAllowed)
  const menuItems = useMenuItems(props)
  const matrixId = matrix.id
  const { salvos, scheduled, undo } = matrix
  return (
    <div className="tools">
      <MatrixSelect matrix={matrix} />
      <SearchBox label={t(TEXT.find)} value={text} onSearch={(key) => setQuery({ key })} />
      {isAllowed(addSalvo) && (
        <SwitchField
          name="arm"
          label={t(TEXT.armMode)}
          value={armsFirst}
          onValueChange={(isOn) => $armsFirst.set(isOn)}
        />
      )}
      <SwitchField
        name="pictures"
        label={t(TEXT.pictures)}
        value={showsPictures}
        onValueChange={(isOn) => $showsPictures.set(isOn)}
      />
      {!isSmall && (
        <SwitchField
          name="view"
          label={t(TEXT.panelView)}
          value={query.get('view') === 'panel'}
          onValueChange={(isOn) => setQuery({ view: isOn ? 'panel' : '', destination: '' })}
        />
      )}
      <span className="push row">
        <Button
          label={salvos.length > 0 ? t(TEXT.salvoCount, salvos.length) : t(TEXT.salvos)}
          onClick={() => void openDialog(SalvosDialog, { matrixId })}
        />
        <Button
          label={scheduled.length > 0 ? t(TEXT.scheduleCount, scheduled.length) : t(TEXT.schedule)}
          onClick={() => void openDialog(SchedulesDialog, { matrixId })}
        />
        <CallButton
          call={undoTake}
          icon="back"
          label={t(TEXT.undo)}
          disabledReason={obstacle ?? (undo ? undefined : t(TEXT.nothingToUndo))}
          onClick={() => openUndoDialog(matrix)}
        />
        <MenuButton iconOnly icon="settings" label={t(TEXT.more)} items={menuItems} />
      </span>
    </div>
  )
}

/** Deletes a matrix after a confirmation, and leaves its page. */
async function confirmRemoval(matrix: Matrix): Promise<void> {
  const title = t(TEXT.removeQuestion, matrix.name)
  const isAgreed = await confirm({ title, text: t(TEXT.removeText), confirmLabel: t(TEXT.removeMatrix), danger: true })
  if (isAgreed && (await removeMatrix(matrix))) navigate(linkTo('ndiRouter'), { replace: true })
}
