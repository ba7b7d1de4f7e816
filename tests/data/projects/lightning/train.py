import lightning as L
from datasets import load_dataset

trainer = L.Trainer(
    max_epochs=3,
    accelerator="gpu",
    devices=4,
    num_nodes=2,
    callbacks=[L.Callback(devices=9)],
)

if __name__ == '__main__':
    trainer.fit(None)
