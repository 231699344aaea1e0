import type { Matrix } from '../../../../contract/ndi/router.ts'
import { linkTo } from '../../../paths.ts'
import { navigate } from '../../../state/location.ts'
import { t } from '../../../text/language.ts'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { removeMatrix } from '../store.ts'
import { TEXT } from '../text.ts'

/** Deletes a matrix after a confirmation, and leaves its page. */
export async function confirmRemoval(matrix: Matrix): Promise<void> {
  const title = t(TEXT.removeQuestion, matrix.name)
  const isAgreed = await confirm({ title, text: t(TEXT.removeText), confirmLabel: t(TEXT.removeMatrix), danger: true })
  if (isAgreed && (await removeMatrix(matrix))) navigate(linkTo('ndiRouter'), { replace: true })
}
