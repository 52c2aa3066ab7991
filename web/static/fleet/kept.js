// What the page keeps of a dataset, which may have any number of hosts, days and measures.

/** Keeps what was used last, up to a number of bytes; what was used longest ago is forgotten for something new. */
export class Kept {
  #limit; #bytes = 0;
  /** @type {Map<string, { bytes: number, forget: () => void }>} what was used last comes last */
  #list = new Map();

  /** @param {number} limit in bytes */
  constructor(limit) { this.#limit = limit; }

  get bytes() { return this.#bytes; }

  /** Notes that something is used now. @param {string} key */
  use(key) {
    const one = this.#list.get(key);
    if (!one) return;
    this.#list.delete(key);
    this.#list.set(key, one);
  }

  /**
   * Keeps something, and forgets others for it. If those that are needed leave no room, nothing is forgotten, and it must not be kept.
   * @param {string} key
   * @param {number} bytes
   * @param {() => void} forget drops it
   * @param {(key: string) => boolean} needed whether something else is in use
   */
  add(key, bytes, forget, needed) {
    this.drop(key);
    let free = this.#limit - this.#bytes;
    const others = [];
    for (const [other, one] of this.#list) {
      if (free >= bytes) break;
      if (needed(other)) continue;
      others.push(other);
      free += one.bytes;
    }
    if (free < bytes) return false;
    for (const other of others) this.drop(other);
    this.#list.set(key, { bytes, forget });
    this.#bytes += bytes;
    return true;
  }

  /** Forgets something. @param {string} key */
  drop(key) {
    const one = this.#list.get(key);
    if (!one) return;
    this.#list.delete(key);
    this.#bytes -= one.bytes;
    one.forget();
  }
}
