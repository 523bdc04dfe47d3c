/** What stands in the place of a text that somebody else has taken out of the page. */
const standIns = new WeakMap<Node, ChildNode>();

/** Puts a text back where it was. */
function putBack(node: Node): void {
  const standIn = standIns.get(node);
  standIns.delete(node);
  if (standIn?.isConnected === true && !node.isConnected) standIn.replaceWith(node);
}

/**
 * Lets React go on with a page that others change: the translation of a browser puts elements in the place of texts, and
 * extensions move what they find. A text that changes is there again first; what is elsewhere is removed there, or not.
 */
export function allowMovedNodes(): void {
  new MutationObserver((records) => {
    for (const { removedNodes, addedNodes } of records) {
      const [[text, ...others], [standIn]] = [removedNodes, addedNodes];
      if (text instanceof Text && others.length === 0 && standIn instanceof HTMLElement) standIns.set(text, standIn);
    }
  }).observe(document.body, { childList: true, subtree: true });
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function remove<Child extends Node>(this: Node, child: Child): Child {
    putBack(child);
    return child.parentNode === null ? child : (removeChild.call(child.parentNode, child) as Child);
  };
  Node.prototype.insertBefore = function insert<New extends Node>(this: Node, node: New, before: Node | null): New {
    if (before !== null) putBack(before);
    return insertBefore.call(this, node, before?.parentNode === this ? before : null) as New;
  };
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Text.prototype, 'nodeValue', {
    ...value,
    set(this: Text, text: string) {
      putBack(this);
      value?.set?.call(this, text);
    },
  });
}
