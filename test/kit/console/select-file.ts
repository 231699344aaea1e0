// Selects a file in the file input of a page, as a user does in the dialog of the browser.
import { findByRole } from './page.ts'

export async function selectFile(bytes: Buffer, name: string, button: string | RegExp = /Choose/): Promise<void> {
  const { parentElement } = await findByRole('button', button)
  const input = parentElement?.querySelector('input[type=file]') as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [new File([new Uint8Array(bytes)], name)], configurable: true })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
