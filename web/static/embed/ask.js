// Asks the user, in words that are never markup.

/** Resolves with true only when the user presses the button that says so. */
export function ask({ title, text, list = [], yes, no }) {
  return new Promise((done) => {
    const box = document.createElement("dialog");
    box.className = "card ask";
    box.dataset.testid = "ask";
    const head = document.createElement("h2"), p = document.createElement("p"), ul = document.createElement("ul");
    head.textContent = title;
    p.textContent = text;
    for (const line of list.slice(0, 20)) {
      const li = document.createElement("li");
      li.className = "mono";
      li.textContent = line;
      ul.append(li);
    }
    const buttons = document.createElement("p");
    const refuse = button(no, "ask-no"), accept = button(yes, "ask-yes");
    buttons.append(refuse, " ", accept);
    box.append(head, p, ul, buttons);
    // What is pressed must have been seen: a page around this one could show
    // the question under a pointer that is about to click.
    accept.disabled = true;
    setTimeout(() => { accept.disabled = false; }, 800);
    let answer = false;
    accept.onclick = (e) => {
      if (!e.isTrusted) return;
      answer = true;
      box.close();
    };
    refuse.onclick = () => box.close();
    box.onclose = () => {
      box.remove();
      done(answer);
    };
    document.body.append(box);
    box.showModal();
    refuse.focus();
  });
}

function button(text, testid) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.dataset.testid = testid;
  return b;
}
