/** Lets the reader save data as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads the data after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
