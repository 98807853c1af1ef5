/**
 * The banks, and the resource that each one's items are copied into. A bank has what every account
 * may use: nobody writes to it through the API.
 */
const BANKS: Readonly<Record<string, string>> = {
  'bank-materials': 'materials',
  'bank-workflows': 'workflows',
}

/** Returns the resource that a bank's items are copied into; undefined for a resource that is no bank. */
export const findBankTarget = (resource: string): string | undefined => BANKS[resource]
